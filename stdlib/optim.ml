## Optimisers, written for one tensor and applied to every parameter. `lr` is a number or a function of (step, epoch).
## Every optimiser takes `clip_norm`: the gradients are scaled together so that their norm is at most that.

## Stochastic gradient descent with momentum (Polyak 1964); weight decay is L2, added to the gradient.
## v <- momentum * v + g, p <- p - lr * v, as in PyTorch.
optimizer sgd(lr: schedule = 0.01, momentum: f32 = 0.0, weight_decay: f32 = 0.0) {
  state v = zeros_like(p)
  update (p, g) {
    v := momentum * v + (g + weight_decay * p)
    p := p - lr * v
  }
}

## Adam (Kingma, Ba 2015): running means of the gradient and its square, corrected for their start at zero; eps
## stands outside the root. Weight decay is L2, added to the gradient.
optimizer adam(lr: schedule = 1e-3, b1: f32 = 0.9, b2: f32 = 0.999, eps: f32 = 1e-8, weight_decay: f32 = 0.0) {
  state m = zeros_like(p)
  state v = zeros_like(p)
  update (p, g) {
    let d = g + weight_decay * p
    m := b1 * m + (1 - b1) * d
    v := b2 * v + (1 - b2) * d * d
    let t = f32(step)
    let size = lr / (1 - b1 ^ t)
    p := p - size * (m / (sqrt(v) / sqrt(1 - b2 ^ t) + eps))
  }
}

## AdamW (Loshchilov, Hutter 2019): Adam with weight decay apart from the gradient, p <- p - lr * weight_decay * p.
optimizer adamw(lr: schedule = 1e-3, b1: f32 = 0.9, b2: f32 = 0.999, eps: f32 = 1e-8, weight_decay: f32 = 0.01) {
  state m = zeros_like(p)
  state v = zeros_like(p)
  update (p, g) {
    m := b1 * m + (1 - b1) * g
    v := b2 * v + (1 - b2) * g * g
    let t = f32(step)
    let size = lr / (1 - b1 ^ t)
    p := p - (lr * weight_decay) * p - size * (m / (sqrt(v) / sqrt(1 - b2 ^ t) + eps))
  }
}
