fn f(k: i32) -> f32 = f32(k) ^ 2
print(grad(f)(3))
fn g(x: f32) -> i32 = i32(x) * 2
print(grad(g)(3.0))
print(grad(x => x * x)(3))
