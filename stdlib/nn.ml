## Layers. Each is written for one example.

## A fully connected layer: w @ x + b, from f32[inputs] to f32[outputs]. Weights and bias start uniform within
## ±1/sqrt(inputs); `init` takes another function of the shape for the weights.
model Dense(inputs: dim, outputs: dim, init = fan_in_uniform(_, inputs)) {
  param w: f32[outputs, inputs] ~ init()
  param b: f32[outputs] ~ fan_in_uniform(inputs)

  fn call(x: f32[inputs]) -> f32[outputs] = w @ x + b
}

## Gives what it is given.
model Identity() {
  fn call(x: f32[..s]) -> f32[..s] = x
}
