# Gradients where a function has no derivative, or where a part that is not taken would give infinity times zero.
# the norm at zero, at a plain point, and its square, which is smooth; forwards and backwards
print(grad(v => norm(v))([0.0, 0.0]), jvp(v => norm(v))([0.0, 0.0], [1.0, 1.0]))            #: [0, 0] (0, 0)
print(norm([1.0, 1.0]) ^ 2 - 2 < 1e-6, grad(v => norm(v) ^ 2)([0.0, 0.0]), grad(v => norm(v) ^ 2)([1.0, 1.0]))   #: true [0, 0] [2, 2]
print(grad(v => norm(v))([0.0]), grad(v => norm(v))(zeros([0])), grad(v => norm(v))([f64(0), f64(0)]))   #: [0] [] [0, 0]
# the branch that `where` and `if` do not take
print(where(1.0 > 0, 0.0, 1.0 * inf), grad(x => where(x > 0, 0.0, x * inf))(1.0), grad(x => if x > 0 then 0.0 * x else x * inf)(1.0))   #: 0 0 0
print(jvp(x => where(x > 0, 0.0, x * inf))(1.0, 1.0), grad(x => sum(where(x > 1, log(x - 1), 0)))([1.0, 3.0]))   #: (0, 0) [0, 0.5]
# norms of rows, the zero row masked
let rows = [[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]]
fn masked(m: f32[k, n]) -> f32 = sum(for row in m => { let n = norm(row); where(n > 0.5, n, 1) })
print("{masked(rows):.6f}")                                                                  #: 8.236068
print(for row in grad(masked)(rows) => for x in row => round(x * 10000) / 10000)             #: [[0.4472, 0.8944], [0.6, 0.8], [0, 0]]
fn roots(m: f32[k, n]) -> f32 = sum(for row in m => { let n = sqrt(sum(row * row)); where(n > 0.5, n, 1) })
print(grad(roots)(rows)[1], grad(roots)([[0.0, 0.0], [0.0, 0.0]]))                           #: [0.6, 0.8] [[0, 0], [0, 0]]
# a masked diagonal of 0 / 0
fn pairs(x: f32[n]) -> f32 = sum(for i, j => where(i != j, 1 / abs(x[i] - x[j]), 0))
print(pairs([0.0, 1.0]), grad(pairs)([0.0, 1.0]), jvp(pairs)([0.0, 1.0], [1.0, 0.0]))        #: 2 [2, -2] (2, 2)
# the exponent at base 0
print([0.0, 2.0] ^ 1.0, jacobian(b => [0.0, 2.0] ^ b)(1.0)[0])                               #: [0, 2] 0
print("{jacobian(b => [0.0, 2.0] ^ b)(1.0)[1]:.6f}", jvp(b => 0.0 ^ b)(1.0, 1.0))            #: 1.386294 (0, 0)
# constant exponents form no logarithm of the base
print(grad(a => a ^ 2)(-2.0), grad(a => a ^ 2)(0.0), (-2.0) ^ 3.0, grad(a => a ^ 3)(-2.0), grad(a => a ^ 1)(0.0), grad(a => a ^ 0)(0.0))   #: -4 0 -8 12 1 0
print(grad(grad(a => a ^ 3))(-2.0), grad(a => a ^ 2.0)(-3.0))                                #: -12 -6
# square root, logarithm, absolute value, relu at their corners
print(grad(x => sqrt(x))(0.0), grad(x => log(x))(0.0), grad(x => abs(x))(0.0), grad(x => relu(x))(0.0))   #: inf inf 0 0
