model Linear(n: dim) {
  param w: f32[n] = 0
  fn score(x: f32[n]) -> f32 = dot(w, x)
  fn call(x: f32[n]) -> f32 = score(x)
}
let m = Linear(3)
print(Linear.score([1.0, 2.0, 3.0]))
print(score([1.0, 2.0, 3.0]))
print(Linear([1.0, 2.0, 3.0]))
print(score(m, [1.0, 2.0, 3.0]))
