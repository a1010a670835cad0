## Layers. Each is written for one example. Names of defaults and start values are PyTorch's, so that weights can be exchanged.

# ---- products ---------------------------------------------------------------------------------------

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

## Adds one number per channel to f32[channels, h, w]; starts uniform within ±1/sqrt(fan_in).
model ChannelBias(channels: dim, fan_in: dim) {
  param b: f32[channels] ~ fan_in_uniform(fan_in)
  fn call(x: f32[channels, h, w]) -> f32[channels, h, w] = for c => x[c] + b[c]
}

## Two-dimensional convolution (Fukushima 1980; LeCun et al. 1989), as a cross-correlation: from f32[inputs, h, w] to
## f32[outputs, h2, w2] with h2 = (h + 2 * pad - (kernel - 1) * dilation - 1) // stride + 1. `kernel`, `stride`, `pad` and
## `dilation` are one number or [vertical, horizontal]. `groups` parts of the channels do not see each other.
model Conv2d(inputs: dim, outputs: dim, kernel: dim[2], stride: dim[2] = 1, pad: dim[2] = 0, dilation: dim[2] = 1, groups: dim = 1,
             bias: bool = true, init = fan_in_uniform(_, inputs // groups * kernel[0] * kernel[1])) {
  param w: f32[outputs, inputs // groups, kernel[0], kernel[1]] ~ init()
  layer shift = if bias then ChannelBias(outputs, inputs // groups * kernel[0] * kernel[1]) else Identity()

  fn call(x: f32[inputs, height, width]) =
    shift(conv2d(x, w, stride = stride, pad = pad, dilation = dilation, groups = groups))
}

## One row of weights per index below `count`: f32[size] from an i32. Rows start standard normal.
model Embedding(count: dim, size: dim, init = normal(_, std = 1.0)) {
  param w: f32[count, size] ~ init()
  fn call(i: i32) -> f32[size] = w[i]
}

# ---- normalisation ------------------------------------------------------------------------------------

## Mean 0 and variance 1 over the elements of a vector, then gain w and bias b (Ba, Kiros, Hinton 2016).
model LayerNorm(size: dim, eps: f32 = 1e-5) {
  param w: f32[size] = 1
  param b: f32[size] = 0
  fn call(x: f32[size]) -> f32[size] = standardized(x, eps) * w + b
}

## x divided by its root mean square, times w (Zhang, Sennrich 2019).
model RmsNorm(size: dim, eps: f32 = 1e-5) {
  param w: f32[size] = 1
  fn call(x: f32[size]) -> f32[size] = rms_norm(x, w, eps)
}

## Mean 0 and variance 1 of each channel over the batch and all places (Ioffe, Szegedy 2015), then gain w and bias b.
## x is f32[channels] or f32[channels, h, w]. In training the variance is that of the batch (divided by n), and the running
## values move by `momentum` toward the batch's mean and its variance divided by n - 1; otherwise the running values are used.
model BatchNorm(channels: dim, momentum: f32 = 0.1, eps: f32 = 1e-5) {
  param w: f32[channels] = 1
  param b: f32[channels] = 0
  state running_mean: f32[channels] = 0
  state running_var: f32[channels] = 1

  fn normalised(x: f32[channels, ..s], m: f32[channels], v: f32[channels]) -> f32[channels, ..s] =
    for c => (x[c] - m[c]) * (w[c] / sqrt(v[c] + eps)) + b[c]

  fn call(x: f32[channels, ..s]) -> f32[channels, ..s] =
    if training then {
      let m = batch_mean(for c => mean(x[c]))
      let v = batch_mean(for c => mean((x[c] - m[c]) ^ 2))
      let n = batch_sum(sum(ones_like(x[0])))
      running_mean := (1 - momentum) * running_mean + momentum * m
      running_var  := (1 - momentum) * running_var + momentum * (n / max(n - 1, 1)) * v
      normalised(x, m, v)
    } else normalised(x, running_mean, running_var)
}

## Each element is zero with probability p while training, and else divided by 1 - p (Srivastava et al. 2014).
model Dropout(p: f32 = 0.5) {
  fn call(x: f32[..s]) -> f32[..s] = dropout(x, p)
}

# ---- pooling ------------------------------------------------------------------------------------------

## The largest of each window; f32[c, h, w]. `stride` is `size` unless given.
model MaxPool2d(size: dim[2], stride: dim[2] = size) {
  fn call(x: f32[c, h, w]) = max_pool2d(x, size, stride)
}

## The mean of each window.
model AvgPool2d(size: dim[2], stride: dim[2] = size, pad: dim[2] = 0) {
  fn call(x: f32[c, h, w]) = avg_pool2d(x, size, stride, pad)
}

# ---- recurrent cells: the state comes last and is given back --------------------------------------------

## h2 = tanh(wx @ x + bx + wh @ h + bh) (Elman 1990).
model RnnCell(inputs: dim, hidden: dim) {
  param wx: f32[hidden, inputs] ~ fan_in_uniform(hidden)
  param wh: f32[hidden, hidden] ~ fan_in_uniform(hidden)
  param bx: f32[hidden] ~ fan_in_uniform(hidden)
  param bh: f32[hidden] ~ fan_in_uniform(hidden)

  fn zero() -> f32[hidden] = zeros([hidden])
  fn call(x: f32[inputs], h: f32[hidden]) -> f32[hidden] = tanh(wx @ x + bx + wh @ h + bh)
}

## Long short-term memory (Hochreiter, Schmidhuber 1997; forget gate: Gers et al. 2000). Rows of the weights are the gates
## input, forget, cell, output. The state is { h, c }.
model LstmCell(inputs: dim, hidden: dim) {
  param wx: f32[4 * hidden, inputs] ~ fan_in_uniform(hidden)
  param wh: f32[4 * hidden, hidden] ~ fan_in_uniform(hidden)
  param bx: f32[4 * hidden] ~ fan_in_uniform(hidden)
  param bh: f32[4 * hidden] ~ fan_in_uniform(hidden)

  fn zero() -> { h: f32[hidden], c: f32[hidden] } = { h: zeros([hidden]), c: zeros([hidden]) }

  fn call(x: f32[inputs], s: { h: f32[hidden], c: f32[hidden] }) -> { h: f32[hidden], c: f32[hidden] } {
    let (i, f, g, o) = split(wx @ x + bx + wh @ s.h + bh, 4)
    let c = sigmoid(f) * s.c + sigmoid(i) * tanh(g)
    { h: sigmoid(o) * tanh(c), c: c }
  }
}

## Gated recurrent unit (Cho et al. 2014). Rows of the weights are reset, update, new; the reset gate works on wh @ h.
model GruCell(inputs: dim, hidden: dim) {
  param wx: f32[3 * hidden, inputs] ~ fan_in_uniform(hidden)
  param wh: f32[3 * hidden, hidden] ~ fan_in_uniform(hidden)
  param bx: f32[3 * hidden] ~ fan_in_uniform(hidden)
  param bh: f32[3 * hidden] ~ fan_in_uniform(hidden)

  fn zero() -> f32[hidden] = zeros([hidden])

  fn call(x: f32[inputs], h: f32[hidden]) -> f32[hidden] {
    let (rx, zx, nx) = split(wx @ x + bx, 3)
    let (rh, zh, nh) = split(wh @ h + bh, 3)
    let z = sigmoid(zx + zh)
    (1 - z) * tanh(nx + sigmoid(rx + rh) * nh) + z * h
  }
}

# ---- attention ----------------------------------------------------------------------------------------

## softmax(q @ k.T / sqrt(d)) @ v (Vaswani et al. 2017): for each row of q a mean of the rows of v. With `causal`, row i
## sees the rows up to i.
fn attention(q: f32[m, d], k: f32[n, d], v: f32[n, e], causal: bool = false) -> f32[m, e] {
  let score = (q @ k.T) / sqrt(f32(d))
  let seen = for i, j => if causal and j > i then -inf else score[i, j]
  seen.map(softmax) @ v
}

## Attention of one head, of a sequence to itself: f32[t, size] to f32[t, size].
model Attention(size: dim, causal: bool = false) {
  layer query = Dense(size, size)
  layer key   = Dense(size, size)
  layer value = Dense(size, size)

  fn call(x: f32[t, size]) -> f32[t, size] = attention(x.map(query), x.map(key), x.map(value), causal)
}

## Attention of `heads` heads, each of size // heads numbers, of a sequence to itself: f32[t, size] to f32[t, size].
model MultiHeadAttention(size: dim, heads: dim, causal: bool = false) {
  layer qkv = Dense(size, 3 * size)
  layer out = Dense(size, size)

  fn split_heads(x: f32[t, size]) -> f32[heads, t, size // heads] =
    transpose(reshape(x, [t, heads, size // heads]), [1, 0, 2])

  fn call(x: f32[t, size]) -> f32[t, size] {
    let (q, k, v) = split(x.map(qkv), 3, axis = 1)
    let y = for (q, k, v) in zip(split_heads(q), split_heads(k), split_heads(v)) => attention(q, k, v, causal)
    reshape(transpose(y, [1, 0, 2]), [t, size]).map(out)
  }
}

# ---- composition ----------------------------------------------------------------------------------------

## One layer after the other; types may change from step to step.
model Sequential(layers...) {
  layer steps = layers
  fn call(x) = loop x = x for f in steps { f(x) }
}

test "layer norm has mean 0 and variance 1" {
  let y = LayerNorm(4)([1.0, 2.0, 3.0, 6.0])
  assert close(mean(y), 0.0)
  assert close(y, [-1.0690443, -0.5345221, 0.0, 1.6035664])
}
test "an LSTM cell starts from zeros" {
  let cell = LstmCell(3, 2)
  let s = cell([1.0, 2.0, 3.0], cell.zero())
  assert size(s.h) == 2 and all(abs(s.h) < 1)
}
test "convolution of ones counts the window" {
  let c = Conv2d(2, 3, kernel = 3, pad = 1, bias = false)
  let y = conv2d(ones([2, 4, 4]), ones([3, 2, 3, 3]), pad = 1)
  assert size(c(ones([2, 4, 4])), axis = 1) == 4
  assert y[0, 0, 0] == 8 and y[0, 1, 1] == 18
}
