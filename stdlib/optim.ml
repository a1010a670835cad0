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

## Nesterov's momentum (1983), as in PyTorch: the step looks ahead, p <- p - lr * (g + momentum * v) with the new v.
optimizer nesterov(lr: schedule = 0.01, momentum: f32 = 0.9, weight_decay: f32 = 0.0) {
  state v = zeros_like(p)
  update (p, g) {
    let d = g + weight_decay * p
    v := momentum * v + d
    p := p - lr * (d + momentum * v)
  }
}

## Steps divided by the root of the sum of all squares so far (Duchi, Hazan, Singer 2011). Weight decay is L2.
optimizer adagrad(lr: schedule = 0.01, weight_decay: f32 = 0.0, eps: f32 = 1e-10) {
  state v = zeros_like(p)
  update (p, g) {
    let d = g + weight_decay * p
    v := v + d * d
    p := p - lr * (d / (sqrt(v) + eps))
  }
}

## Steps divided by the root of a running mean of squares (Tieleman, Hinton 2012). Weight decay is L2.
optimizer rmsprop(lr: schedule = 0.01, decay: f32 = 0.99, eps: f32 = 1e-8, momentum: f32 = 0.0, weight_decay: f32 = 0.0) {
  state v = zeros_like(p)
  state m = zeros_like(p)
  update (p, g) {
    let d = g + weight_decay * p
    v := decay * v + (1 - decay) * d * d
    m := momentum * m + d / (sqrt(v) + eps)
    p := p - lr * m
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

## Lion (Chen et al. 2023): steps of one size, in the direction of the sign of a mean that leans to the new gradient.
optimizer lion(lr: schedule = 1e-4, b1: f32 = 0.9, b2: f32 = 0.99, weight_decay: f32 = 0.0) {
  state m = zeros_like(p)
  update (p, g) {
    p := p - lr * (sign(b1 * m + (1 - b1) * g) + weight_decay * p)
    m := b2 * m + (1 - b2) * g
  }
}

# ---- schedules: functions of (step, epoch); step counts from 1, epoch is a fraction of the way -------------

## Always lr.
fn constant(lr: f32) = (step, epoch) => lr

## lr, times `factor` after every `every` epochs: cut(100, 4, 0.1) is 100 in the epochs 0 to 3, 10 in 4 to 7.
fn cut(lr: f32, every: f32, factor: f32 = 0.1) = (step, epoch) => lr * factor ^ floor(epoch / every)

## lr * rate ^ epoch.
fn exponential(lr: f32, rate: f32 = 0.95) = (step, epoch) => lr * rate ^ epoch

## From 0 to 1 in a straight line over the first `warmup` epochs, then 1.
fn _ramp(epoch: f32, warmup: f32) -> f32 = if epoch < warmup then epoch / warmup else 1.0

## How much of the way from the end of the warm-up to `epochs` is done, 0 to 1.
fn _done(epoch: f32, epochs: f32, warmup: f32) -> f32 = clip((epoch - warmup) / max(epochs - warmup, 1e-6), 0, 1)

## Rises over the first `warmup` epochs, then falls in a straight line to `final` at `epochs`.
fn linear(lr: f32, epochs: f32, warmup: f32 = 0.0, final: f32 = 0.0) =
  (step, epoch) => _ramp(epoch, warmup) * (final + (lr - final) * (1 - _done(epoch, epochs, warmup)))

## Rises over the first `warmup` epochs, then falls along half a cosine to `final` at `epochs` (Loshchilov, Hutter 2017).
fn cosine(lr: f32, epochs: f32, warmup: f32 = 0.0, final: f32 = 0.0) =
  (step, epoch) => _ramp(epoch, warmup) * (final + (lr - final) * 0.5 * (1 + cos(pi * _done(epoch, epochs, warmup))))

## Another schedule, or a number, that is reached in a straight line over the first `epochs` epochs.
fn warmup(schedule, epochs: f32) = (step, epoch) => _ramp(epoch, epochs) * schedule(step, epoch)

test "schedules" {
  assert close(constant(0.1)(1, 3.0), 0.1)
  assert close(cut(100, 4)(1, 3.9), 100.0) and close(cut(100, 4)(1, 4.0), 10.0)
  assert close(cosine(2.0, epochs = 10, warmup = 2)(1, 1.0), 1.0)
  assert close(cosine(2.0, epochs = 10, warmup = 2)(1, 6.0), 1.0)
  assert close(linear(2.0, epochs = 10)(1, 10.0), 0.0)
}
