## Functions that every program sees: activations, losses, initialisers, comparisons.
## Written for one example; the compiler batches them.

# ---- activations ----------------------------------------------------------------------------------

## x * sigmoid(x) (Elfwing, Uchibe, Doya 2017).
fn silu(x: float[..s]) -> float[..s] = x * sigmoid(x)

## x where positive, slope * x elsewhere (Maas, Hannun, Ng 2013).
fn leaky_relu(x: float[..s], slope: float = 0.01) -> float[..s] = where(x > 0, x, slope * x)

## x where positive, alpha * (exp(x) - 1) elsewhere (Clevert, Unterthiner, Hochreiter 2015).
fn elu(x: float[..s], alpha: float = 1.0) -> float[..s] = where(x > 0, x, alpha * expm1(min(x, 0)))

## elu scaled so that means and variances settle over many layers (Klambauer et al. 2017).
fn selu(x: float[..s]) -> float[..s] = 1.0507009873554805 * where(x > 0, x, 1.6732632423543772 * expm1(min(x, 0)))

## x limited to -1 and 1.
fn hardtanh(x: float[..s], low: float = -1.0, high: float = 1.0) -> float[..s] = min(max(x, low), high)

## relu limited to 6 (Howard et al. 2017).
fn relu6(x: float[..s]) -> float[..s] = min(max(x, 0), 6)

## Piecewise linear sigmoid: 0 up to -3, 1 from 3 on.
fn hard_sigmoid(x: float[..s]) -> float[..s] = min(max(x + 3, 0), 6) / 6

## x / (1 + |x|) (Bergstra et al. 2009).
fn softsign(x: float[..s]) -> float[..s] = x / (1 + abs(x))

## log(1 + exp(x)), computed so that neither tail overflows.
fn softplus(x: float[..s]) -> float[..s] = max(x, 0) + log1p(exp(-abs(x)))

## log(sigmoid(x)), computed so that neither tail overflows.
fn log_sigmoid(x: float[..s]) -> float[..s] = -softplus(-x)

## x * tanh(softplus(x)) (Misra 2019).
fn mish(x: float[..s]) -> float[..s] = x * tanh(softplus(x))

## Gaussian error linear unit: x times the normal distribution function of x (Hendrycks, Gimpel 2016).
fn gelu(x: float[..s]) -> float[..s] = 0.5 * x * (1 + erf(0.7071067811865476 * x))

## gelu by a tanh that comes within 0.0005 of it, as GPT-2 has it.
fn gelu_tanh(x: float[..s]) -> float[..s] = 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))

## x limited to low and high; NaN stays NaN.
fn clip(x: num[..s], low: num, high: num) -> num[..s] = min(max(x, low), high)

# ---- kinds of numbers ---------------------------------------------------------------------------------

## Whether each element is NaN.
fn isnan(x: float[..s]) -> bool[..s] = x != x

## Whether each element is an infinity of either sign.
fn isinf(x: float[..s]) -> bool[..s] = abs(x) == inf

## Whether each element is a number: neither infinite nor NaN.
fn isfinite(x: float[..s]) -> bool[..s] = abs(x) < inf

## sqrt(x^2 + y^2), without overflow of the squares; its derivative at the origin is 0.
fn hypot(x: float[..s], y: float[..s]) -> float[..s] {
  let big = max(abs(x), abs(y))
  let unit = where(big > 0, big, 1)
  where(big > 0, unit * sqrt(where(big > 0, (x / unit) ^ 2 + (y / unit) ^ 2, 1)), 0)
}

# ---- softmax and losses -------------------------------------------------------------------------

# The shift that keeps exp in range: the largest element, or 0 where that is not finite. No derivative flows through it.
fn _shift(x: float[n]) -> float {
  let m = stop_gradient(max(x))
  where(abs(m) < inf, m, 0 * ones_like(m))
}

## log(sum(exp(x))) of a vector, computed without overflow; -inf where all elements are -inf.
fn logsumexp(x: float[n]) -> float {
  let m = _shift(x)
  let s = sum(exp(x - m))
  where(s > 0, log(where(s > 0, s, ones_like(s))) + m, -inf * ones_like(s))
}

## exp(x) / sum(exp(x)) of a vector: positive, adding up to 1.
fn softmax(x: float[n]) -> float[n] {
  let e = exp(x - _shift(x))
  e / sum(e)
}

## log(softmax(x)) of a vector, computed without overflow.
fn log_softmax(x: float[n]) -> float[n] {
  let y = x - _shift(x)
  y - log(sum(exp(y)))
}

## -log(softmax(logits)[label]): the loss of a classifier; logits are scores before softmax, label is 0 to n - 1.
fn cross_entropy(logits: float[n], label: i32) -> float {
  let y = logits - _shift(logits)
  log(sum(exp(y))) - y[label]
}

## Loss of independent yes/no decisions: -(t log p + (1 - t) log(1 - p)) with p = sigmoid(logits), without overflow.
fn binary_cross_entropy(logits: float[..s], targets: float[..s]) -> float[..s] =
  max(logits, 0) - logits * targets + log1p(exp(-abs(logits)))

## Mean of squared differences.
fn mean_squared_error(x: float[..s], y: float[..s]) -> float = mean((x - y) ^ 2)

## The same.
fn mse(x: float[..s], y: float[..s]) -> float = mean((x - y) ^ 2)

## Mean of absolute differences.
fn mean_absolute_error(x: float[..s], y: float[..s]) -> float = mean(abs(x - y))

## The same.
fn mae(x: float[..s], y: float[..s]) -> float = mean(abs(x - y))

## Mean of squares halved for differences up to delta, and straight lines beyond (Huber 1964).
fn huber(x: float[..s], y: float[..s], delta: float = 1.0) -> float {
  let d = abs(x - y)
  mean(where(d <= delta, 0.5 * d * d, delta * (d - 0.5 * delta)))
}

## sum(p * log(p / q)) of two distributions: what q costs where p holds (Kullback, Leibler 1951). 0 * log 0 is 0.
fn kl_divergence(p: float[n], q: float[n]) -> float =
  sum(where(p > 0, p * (log(where(p > 0, p, 1)) - log(where(p > 0, q, 1))), 0))

## max(0, margin - y * score) for a label y of -1 or 1 (Cortes, Vapnik 1995).
fn hinge(score: float, y: float, margin: float = 1.0) -> float = max(margin - y * score, 0)

## -log of a Gaussian density without its constant: (log(var) + (x - mean)^2 / var) / 2, averaged.
fn gaussian_nll(center: float[..s], x: float[..s], variance: float[..s]) -> float =
  mean(0.5 * (log(variance) + (x - center) ^ 2 / variance))

# ---- vectors ------------------------------------------------------------------------------------------

## x divided by its root mean square, times w (Zhang, Sennrich 2019).
fn rms_norm(x: float[n], w: float[n], eps: float = 1e-5) -> float[n] = x / sqrt(mean(x * x) + eps) * w

## (x - mean) / sqrt(var + eps) of a vector (Ba, Kiros, Hinton 2016), without gain and bias.
fn standardized(x: float[n], eps: float = 1e-5) -> float[n] = (x - mean(x)) / sqrt(var(x) + eps)

## The cosine of the angle between two vectors; 0 where one is too short.
fn cosine_similarity(x: float[n], y: float[n], eps: float = 1e-8) -> float = dot(x, y) / max(norm(x) * norm(y), eps)

## The vector product in three dimensions.
fn cross(x: float[3], y: float[3]) -> float[3] =
  [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]

## Rotary position (Su et al. 2021): in each head the pairs (2i, 2i + 1) turn by pos / base^(2i/d). x: one row per head.
fn rotary(x: f32[heads, d], pos: i32, base: f32 = 10000.0) -> f32[heads, d] {
  let pairs = reshape(x, [heads, d // 2, 2])
  let angle = f32(pos) * base ^ (f32(arange(d // 2)) * (-2 / f32(d)))
  let (a, b) = (pairs[:, :, 0], pairs[:, :, 1])
  let turned = concat(reshape(a * cos(angle) - b * sin(angle), [heads, d // 2, 1]),
                      reshape(a * sin(angle) + b * cos(angle), [heads, d // 2, 1]), axis = 2)
  reshape(turned, [heads, d])
}

# ---- sound --------------------------------------------------------------------------------------------

## One period of the raised cosine of n points (von Hann; Blackman, Tukey 1958): 0.5 - 0.5 cos(2 pi k / n).
fn hann(n: dim) -> f32[n] = 0.5 - 0.5 * cos(f32(arange(n)) * (2 * pi / f32(n)))

## Hertz to mel, the pitch scale of O'Shaughnessy 1987 (as in HTK): 2595 log10(1 + f / 700).
fn mel_of_hz(f: f32[..s]) -> f32[..s] = 2595 * log10(1 + f / 700)

## Mel to Hertz.
fn hz_of_mel(m: f32[..s]) -> f32[..s] = 700 * (exp(m * (2.302585092994046 / 2595)) - 1)

## Triangles of height 1 whose corners lie at equal distances in mel from 0 to rate / 2: one row per band, one column
## per term of the spectrum of `window` samples.
fn mel_filters(rate: f32, window: dim, bands: dim) -> f32[bands, window // 2 + 1] {
  let corners = hz_of_mel(f32(arange(bands + 2)) * (mel_of_hz(rate / 2) / f32(bands + 1)))
  let low  = corners[:bands]
  let mid  = corners[1:bands + 1]
  let high = corners[2:]
  let f = f32(arange(window // 2 + 1)) * (rate / f32(window))
  for b < bands => max(min((f - low[b]) / (mid[b] - low[b]), (high[b] - f) / (high[b] - mid[b])), 0)
}

## Logarithms of the energy in mel bands over time, log(1e-6 + power): windows of `window` samples every `hop`, each
## times a Hann window; the power spectrum |rfft|^2; triangular mel filters. Frames begin at 0 and none is padded, so
## there are 1 + (n - window) // hop: 8000 samples, window 256 and hop 128 give 61.
fn log_mel(wave: f32[n], rate: f32, window: dim, hop: dim, bands: dim) -> f32[1 + (n - window) // hop, bands] {
  let (re, im) = rfft(unfold(wave, window, hop) * hann(window))
  log(1e-6 + (re * re + im * im) @ mel_filters(rate, window, bands).T)
}

# ---- initialisers: functions of the shape -----------------------------------------------------------

## Uniform within ±1/sqrt(fan_in), the default of Dense and Conv2d (LeCun et al. 1998; the bound is PyTorch's).
fn fan_in_uniform(shape, fan_in: dim) = uniform(shape, -1 / sqrt(f32(fan_in)), 1 / sqrt(f32(fan_in)))

## Uniform within ±gain * sqrt(6 / (fan_in + fan_out)) (Glorot, Bengio 2010). In a shape [out, in, kernel…] the fans count
## the kernel.
fn glorot(shape, gain: f32 = 1.0) {
  let bound = gain * sqrt(6.0 / (f32(fan_in(shape)) + f32(fan_out(shape))))
  uniform(shape, -bound, bound)
}

## Normal with deviation gain * sqrt(2 / (fan_in + fan_out)) (Glorot, Bengio 2010).
fn glorot_normal(shape, gain: f32 = 1.0) = normal(shape, std = gain * sqrt(2.0 / (f32(fan_in(shape)) + f32(fan_out(shape)))))

## Uniform within ±sqrt(6 / fan_in), for relu (He et al. 2015).
fn he(shape) = uniform(shape, -sqrt(6.0 / f32(fan_in(shape))), sqrt(6.0 / f32(fan_in(shape))))

## Normal with deviation sqrt(2 / fan_in), for relu (He et al. 2015).
fn he_normal(shape) = normal(shape, std = sqrt(2.0 / f32(fan_in(shape))))

## Uniform within ±sqrt(3 / fan_in) (LeCun et al. 1998).
fn lecun(shape) = uniform(shape, -sqrt(3.0 / f32(fan_in(shape))), sqrt(3.0 / f32(fan_in(shape))))

## Normal with deviation 1 / sqrt(fan_in) (LeCun et al. 1998).
fn lecun_normal(shape) = normal(shape, std = 1 / sqrt(f32(fan_in(shape))))

# ---- metrics ------------------------------------------------------------------------------------------

## Whether the largest of the scores is that of the label.
fn accuracy(scores: float[n], label: i32) -> bool = argmax(scores) == label

## Whether fewer than k scores are larger than that of the label.
fn top_k_accuracy(scores: float[n], label: i32, k: i32 = 5) -> bool = sum(i32(scores > scores[label])) < k

# ---- comparison ---------------------------------------------------------------------------------------

## Whether all elements of a and b differ by at most tol, relative to 1 + |b|.
fn close(a, b, tol = 1e-5) = all(abs(a - b) <= tol * (1 + abs(b)))

## A vector of n zeros with a one at index.
fn one_hot(index: i32, n: dim) -> f32[n] = for i < n => if i == index then 1.0 else 0.0

test "softmax adds up to one" { assert close(sum(softmax([1.0, 2.0, 3.0])), 1.0) }
test "cross entropy of equal logits" { assert close(cross_entropy([0.0, 0.0], 1), log(2.0)) }
test "softplus far out" { assert close(softplus([-100.0, 100.0]), [0.0, 100.0]) }

test "activations at known points" {
  assert close(selu([-1.0, 1.0]), [-1.1113307, 1.0507010])
  assert close(mish([-1.0, 1.0]), [-0.3034015, 0.8650984])
  assert close(gelu([-1.0, 1.0]), [-0.1586553, 0.8413447])
  assert close(elu([-1.0, 1.0]), [-0.6321206, 1.0])
  assert close(silu([-1.0, 1.0]), [-0.2689414, 0.7310586])
  assert close(hard_sigmoid([-4.0, 0.0, 4.0]), [0.0, 0.5, 1.0])
}
test "losses at known points" {
  assert close(huber([0.0, 3.0], [0.5, 0.0]), 1.3125)
  assert close(kl_divergence([0.5, 0.5], [0.25, 0.75]), 0.1438410)
  assert close(mse([1.0, 2.0], [2.0, 4.0]), 2.5)
  assert close(binary_cross_entropy([0.5, -1.0], [1.0, 0.0]), [0.4740770, 0.3132617])
}
test "kinds of numbers" {
  assert all(isnan([nan, 1.0]) == [true, false])
  assert all(isinf([-inf, nan, 1.0]) == [true, false, false])
  assert all(isfinite([inf, nan, 1.0]) == [false, false, true])
}
test "hypot of large numbers and at the origin" {
  assert close(hypot([3e30, 0.0], [4e30, 0.0]) / 1e30, [5.0, 0.0])
}
test "rotary turns pairs and keeps lengths" {
  let x = rotary([[1.0, 0.0, 0.0, 1.0]], 1)
  assert close(x, [[0.5403023, 0.8414710, -0.0099998, 0.9999500]])
}
test "log mel energies of silence" {
  let m = log_mel(zeros([8000]), rate = 8000, window = 256, hop = 128, bands = 40)
  assert size(m) == 61 and size(m, axis = 1) == 40
  assert close(m[0, 0], log(1e-6))
}
