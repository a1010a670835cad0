# logsumexp, softmax and losses far from the middle.
# all elements minus infinity
print(logsumexp([-inf, -inf]), grad(x => logsumexp([-inf, -inf + x]))(1.0), logsumexp([-inf, 0.0]), logsumexp([inf, 0.0]))   #: -inf 0 0 inf
# a batch of rows is row by row, to the last bit
let rows = [[0.0, 0.0], [1.0, 3.0]]
let each = for r in rows => logsumexp(r)
print("{each[0]:.7f} {each[1]:.6f}", each[0] == logsumexp(rows[0]), each[1] == logsumexp(rows[1]))   #: 0.6931472 3.126928 true true
# large logits
print(cross_entropy([-431.0, 279.0, 427.0], 0), grad(v => cross_entropy(v, 0))([-431.0, 279.0, 427.0]))   #: 858 [-1, 0, 1]
print(cross_entropy([1e4, -1e4], 1), grad(v => cross_entropy(v, 1))([1e4, -1e4]), binary_cross_entropy(-1e4, 1.0), binary_cross_entropy(1e4, 1.0))   #: 20000 [1, -1] 10000 0
# a row that a mask leaves out, full of minus infinity
fn kept(logits: f32[k, n], targets: i32[k], keep: bool[k]) -> f32 =
  sum(for i => if keep[i] then cross_entropy(logits[i], targets[i]) else 0.0 * sum(zeros_like(logits[i]))) / sum(for i => where(keep[i], 1.0, 0.0))
let logits = [[1.0, 2.0, 3.0], [-inf, -inf, -inf]]
print("{kept(logits, [2, 0], [true, false]):.6f}")                                   #: 0.407606
print(for r in grad(kept)(logits, [2, 0], [true, false]) => for x in r => round(x * 100000) / 100000)   #: [[0.09003, 0.24473, -0.33476], [0, 0, 0]]
# a logit loss takes scores
print("{cross_entropy([2.0, 0.0], 0):.6f}", "{-log(softmax([2.0, 0.0])[0]):.6f}")    #: 0.126928 0.126928
# the backward of log_softmax subtracts the sum of what comes in
print(for g in grad(x => sum(log_softmax(x)))([0.1, 0.9]) => round(g * 100000) / 100000)   #: [0.37995, -0.37995]
print(abs(sum(grad(x => sum(log_softmax(x)))([0.1, 0.9, -3.0]))) < 1e-6, sum(softmax([1000.0, 1000.0])), softmax([-inf, 0.0]))   #: true 1 [0, 1]
