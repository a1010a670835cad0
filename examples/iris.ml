## Three species of iris from four measurements: softmax regression.
import nn, optim, data

option path: str = "examples/data/iris.csv"   ## table with a header row
option lr:   f32 = 0.05                       ## step size

let iris = data.csv(path,
                    x = ["sepal_length", "sepal_width", "petal_length", "petal_width"],
                    label = classes("species"))
  .split(train = 0.8, test = 0.2, seed = 0)
  .standardize()                    # fitted on train, applied to both

model Iris(n: dim) {
  layer out = nn.Dense(n, 3)
  fn call(x: f32[n]) -> f32[3] = out(x)
}

train {
  model:     Iris(4)
  data:      iris.train
  loss:      (m, x, label) => cross_entropy(m(x), label)
  optimizer: optim.adam(lr)
  batch:     20
  epochs:    60
  metrics:   { accuracy: (m, x, label) => argmax(m(x)) == label }
  validate:  iris.test
}
