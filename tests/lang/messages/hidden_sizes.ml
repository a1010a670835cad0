import nn

option hidden: dim = 128

model Mlp(hidden: dim) {
  layer fc1 = nn.Dense(784, hidden)
  layer fc2 = nn.Dense(hidden + 1, 10)

  fn call(x: f32[784]) -> f32[10] = x |> fc1 |> relu |> fc2
}
