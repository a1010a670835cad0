fn f(x: f32) -> f32 = x * x
print(grad(f)(3))
print(grad(x => [x, x])(1.0))
