import nn
model Scale(n: dim) {
  param w: f32[n] = 2
  param b: f32 = 1
  fn call(x: f32[n]) -> f32[n] = w * x + b
  fn twice(x: f32[n]) -> f32[n] = call(call(x))
}
let m = Scale(2)
print(m([1.0, 2.0]), m.twice([0.0, 1.0]))      #: [3, 5] [3, 7]
print(m.w, m.n)                                #: [2, 2] 2
let g = grad((m: Scale, x: f32[2]) => sum(m(x)))(m, [1.0, 2.0])
print(g.w, g.b)                                #: [1, 2] 2
let d = nn.Dense(3, 2)
print(size(d([1.0, 2.0, 3.0])), all(abs(d.w) <= 1 / sqrt(3.0)))   #: 2 true
