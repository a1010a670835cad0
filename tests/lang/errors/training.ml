import nn, optim, data
option l2: f32 = missing.0         #~ E0210
let rows = data.csv("none.csv", x = ["a"], y = "b")
model M(n: dim) {
  param w: f32[n] = 0
  fn call(x: f32[n]) -> f32 = dot(w, x)
}
train one {
  model: M(1)
  data: rows
  loss: (m, x, y) => (m(x) - y) ^ 2
  optimizer: optim.sgd(0.1)
  epochs: "5"                       #~ E0362
  epoch: 3                          #~ E0360
}

train two {
  model: M(1)
  data: rows
  loss: (m, x, y) => (m(x) - y) ^ 2 + l2
  optimizer: optim.sgd(0.1)
}
