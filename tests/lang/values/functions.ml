fn affine(w: f32[m, n], b: f32[m], x: f32[n]) -> f32[m] = w @ x + b
fn scaled(x: float[n], by: float = 2.0) -> float[n] = by * x
fn pair(a: f32, b: f32) = { let s = a + b; (s, a * b) }
fn length_of(x: f32[n]) -> i32 = n
let n = 3
let w = [[1.0, 0.0], [0.5, 1.0]]
print(affine(w, [1.0, 1.0], [2.0, 4.0]))         #: [3, 6]
print(scaled([1.0, 2.0]), scaled([1.0], by = 3)) #: [2, 4] [3]
print([1.0, 2.0].scaled(10))                     #: [10, 20]
print(pair(2, 3), pair(2, 3).1)                  #: (5, 6) 6
print([1.0, 2.0] |> scaled(_, 4) |> sum)         #: 12
print((x => x * x)(3.0))                         #: 9
print(length_of([1.0, 2.0, 3.0, 4.0]))           #: 4
let r = { a: 1.0, b: [1, 2] }
print(r.a, r.b[1], { ..r, a: 2.0 }.a)            #: 1 2 2
