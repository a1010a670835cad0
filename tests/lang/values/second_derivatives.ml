# Derivatives of derivatives, of what is captured, and through loops of different lengths.
fn g(x: f32[2], y: f32[2]) -> f32 = x[0] * y[0] + x[1] * y[1]
let mixed = jacobian(y => grad(x => g(x, y))([3.0, 4.0]))([1.0, 2.0])
print(mixed)                                                                          #: [[1, 0], [0, 1]]
let b = 5.0
fn f(x: f32) -> f32 = 4 * x ^ 2 + b * x + 10
fn f_of(x: f32, b: f32) -> f32 = 4 * x ^ 2 + b * x + 10
print(grad(f)(25.0), grad(grad(f))(25.0), grad(f_of)(25.0, 5.0), grad(grad(f_of))(25.0, 5.0), grad(f_of, wrt = b)(25.0, 5.0))   #: 205 8 205 8 25
print({ let b = 5.0; grad(x => 4 * x ^ 2 + b * x + 10)(25.0) }, hessian(v => v[0] * v[0] * v[1])([2.0, 3.0]), hvp(v => v[0] * v[0] * v[1])([2.0, 3.0], [1.0, 0.0]))   #: 205 [[6, 4], [4, 0]] [6, 4]
# no derivative comes out of a comparison or a whole number
fn shifted(w: f32[3]) -> f32[2] = cumsum(for j => where(j != 0, 1.0, 0.0) * w[j])[1:]
print(shifted([1.11, 2.22, 3.33]), jvp(shifted)([1.11, 2.22, 3.33], [1.0, 1.0, 1.0]))   #: [2.22, 5.55] ([2.22, 5.55], [1, 2])
print(grad(x => x * f32(x > 1))(2.0), grad(x => x * f32(i32(x)))(2.5), jvp(x => f32(i32(x)) + x)(2.5, 1.0))   #: 1 2 (4.5, 1)
# loops that stop at their own time
fn steps(a: f32, b: f32, start: f32) -> f32 = loop c = start while c < a { c + b }
print(for a in [1.0, 4.0] => for b in [2.0, 3.0] => steps(a, b, 0.0), steps(0.0, 2.0, 0.0))   #: [[2, 3], [4, 6]] 0
print(grad(s => steps(4.0, 3.0, s))(0.0), grad(s => steps(0.0, 2.0, s))(0.0), grad(b => steps(4.0, b, 0.0))(3.0), for s in [0.0, 3.5] => grad(s => steps(4.0, 3.0, s))(s))   #: 1 1 2 [1, 1]
# a hundred thousand steps, forwards and backwards
fn grown(y: f64) -> f64 = loop y = y for _ in 0..100000 { y * (1 + 1e-6) }
print(abs(grown(1.0) - 1.1051709) < 1e-6, abs(grad(grown)(1.0) - 1.1051709) < 1e-6)   #: true true
