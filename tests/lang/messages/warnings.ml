## Every warning once, beside what is right.
import nn, optim, data

option width: dim = 8
option depth: dim = 8

# names that nothing uses
fn area(w: f32, h: f32) -> f32 {
  let border = 2 * (w + h)
  let (used, unused, _) = (w, h, 1.0)
  let _kept = 3.0
  used * h
}

# a condition of literals
fn sign_of(x: f32) -> f32 = if 1 > 2 then x else if x > 0 then 1 else -1

# an arm that nothing reaches
type Shape = Circle(r: f32) | Square(a: f32)
fn extent(s: Shape) -> f32 = match s {
  Circle(r) => r
  _ => 0
  Square(a) => a
}

# two names for one number
print(sum(ones([width]) * ones([depth])))

# probabilities in a loss of logits: through a name, and through a model
let scores = softmax([1.0, 2.0])
print(cross_entropy(scores, 0))

model Classifier {
  param w: f32[3, 2] ~ glorot()
  param never_used: f32 = 0
  layer head = nn.Dense(3, 3)
  layer side = nn.Dense(2, 2)
  fn call(x: f32[2]) -> f32[3] = softmax(head(w @ x))
  fn other(x: f32[2]) -> f32[2] = side(x)
}

# a parameter that the loss does not reach
train {
  model:     Classifier()
  data:      data.csv("points.csv", x = ["a", "b"], y = "c")
  loss:      (m, x, y) => cross_entropy(m(x), i32(y))
  optimizer: optim.sgd(0.1)
}

# gradients that are zero wherever they are taken
fn rounded(x: f32) -> f32 = f32(i32(x)) * 2
print(grad(rounded)(1.5))
print(grad((x, y) => y * y, wrt = x)(1.0, 2.0))
