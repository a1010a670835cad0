import optim, data

model Linear(n: dim) {
  param w: f32[n] = 0
  fn call(x: f32[n]) -> f32 = dot(w, x)
}

fn squared(w: f32[3], x: f32[3]) = (dot(w, x) ^ 2, dot(w, x))
let g = grad(squared)([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])

train {
  model:     Linear(2)
  data:      data.csv("points.csv", x = ["a", "b"], y = "c")
  loss:      (m, x, y) => ((m(x) - y) ^ 2, m(x))
  optimizer: optim.sgd(0.1)
}
