## Functions that every program sees: activations, losses, initialisers, comparisons.
## Written for one example; the compiler batches them.

# ---- activations ----------------------------------------------------------------------------------

## x * sigmoid(x) (Elfwing, Uchibe, Doya 2017).
fn silu(x: float[..s]) -> float[..s] = x * sigmoid(x)

## x where positive, slope * x elsewhere (Maas, Hannun, Ng 2013).
fn leaky_relu(x: f32[..s], slope: f32 = 0.01) -> f32[..s] = where(x > 0, x, slope * x)

## x where positive, alpha * (exp(x) - 1) elsewhere (Clevert, Unterthiner, Hochreiter 2015).
fn elu(x: f32[..s], alpha: f32 = 1.0) -> f32[..s] = where(x > 0, x, alpha * expm1(min(x, 0)))

## log(1 + exp(x)), computed so that neither tail overflows.
fn softplus(x: float[..s]) -> float[..s] = max(x, 0) + log1p(exp(-abs(x)))

## log(sigmoid(x)), computed so that neither tail overflows.
fn log_sigmoid(x: float[..s]) -> float[..s] = -softplus(-x)

## Gaussian error linear unit, tanh form (Hendrycks, Gimpel 2016).
fn gelu(x: float[..s]) -> float[..s] = 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))

## x limited to low and high; NaN stays NaN.
fn clip(x: float[..s], low: float, high: float) -> float[..s] = min(max(x, low), high)

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

## Mean of absolute differences.
fn mean_absolute_error(x: float[..s], y: float[..s]) -> float = mean(abs(x - y))

# ---- initialisers: functions of the shape -----------------------------------------------------------

## Uniform within ±1/sqrt(fan_in), the default of Dense and Conv2d (LeCun et al. 1998; the bound is PyTorch's).
fn fan_in_uniform(shape, fan_in: dim) = uniform(shape, -1 / sqrt(f32(fan_in)), 1 / sqrt(f32(fan_in)))

# ---- comparison ---------------------------------------------------------------------------------------

## Whether all elements of a and b differ by at most tol, relative to 1 + |b|.
fn close(a, b, tol = 1e-5) = all(abs(a - b) <= tol * (1 + abs(b)))

## A vector of n zeros with a one at index.
fn one_hot(index: i32, n: dim) -> f32[n] = for i < n => if i == index then 1.0 else 0.0

test "softmax adds up to one" { assert close(sum(softmax([1.0, 2.0, 3.0])), 1.0) }
test "cross entropy of equal logits" { assert close(cross_entropy([0.0, 0.0], 1), log(2.0)) }
test "softplus far out" { assert close(softplus([-100.0, 100.0]), [0.0, 100.0]) }
