fn f(x: f32) -> f32 = x * x
let count = 3
print(grad(f)(count))
print(grad(x => [x, x])(1.0))
