## Handwritten digits, 8 x 8 pixels: a small network with one hidden layer. Written for ONE image; Glia batches it.
import nn, optim, data

option path:   str = "examples/data/digits.csv.gz"   ## 64 pixels from 0 to 16, then the digit
option hidden: dim = 256                             ## hidden units
option lr:     f32 = 1e-3                            ## step size

let digits = data.csv(path, header = false, image = "c0..c63", label = i32("c64"))
  .split(train = 0.8, test = 0.2, seed = 0)

model Digits(hidden: dim) {
  layer fc1 = nn.Dense(64, hidden)
  layer fc2 = nn.Dense(hidden, 10)

  fn call(image: f32[64]) -> f32[10] =
    image / 16 |> fc1 |> relu |> fc2
}

train {
  model:     Digits(hidden)
  data:      digits.train
  loss:      (m, image, label) => cross_entropy(m(image), label)
  optimizer: optim.adam(lr)
  batch:     32
  epochs:    60
  metrics:   { accuracy: (m, image, label) => argmax(m(image)) == label }
  validate:  digits.test
}
