import nn
model Net(h: dim) {
  layer first = nn.Dense(4, h)
  fn call(x: f32[4]) -> f32[2] {
    let second = nn.Dense(h, 2)
    second(relu(first(x)))
  }
}
model Other(h: dim) {
  layer first = nn.Dense(4, h)
  fn call(x: f32[4]) -> f32[2] = x |> first |> relu |> nn.Dense(h, 2)
}
