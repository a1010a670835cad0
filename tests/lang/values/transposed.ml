# A product with a transposed left side, for shapes of all kinds.
let a = [[0.7, -1.3, 2.1], [-0.4, 1.9, -3.2]]
print(for r in a.T @ ones([2, 2]) => for x in r => round(x * 1000) / 1000)            #: [[0.3, 0.3], [0.6, 0.6], [-1.1, -1.1]]
fn worst(m: dim, n: dim, k: dim) -> f32 {
  let a = for i < m, j < n => f32((7 * i + 3 * j) % 5) - 2
  let b = for i < m, j < k => f32((2 * i + 5 * j) % 7) - 3
  max(abs(a.T @ b - (for i < n, j < k => sum(for p < m => a[p, i] * b[p, j]))))
}
print(worst(1, 1, 1), worst(1, 17, 2), worst(17, 1, 17), worst(5, 16, 3), worst(16, 5, 8), worst(17, 17, 17))   #: 0 0 0 0 0 0
print([[1.0, 2.0]].T @ [[3.0, 4.0]], [1.0, 2.0] @ [[1.0, 0.0], [0.0, 1.0]].T, (a.T)[1], a[:, 1] @ a[:, 2])   #: [[3, 4], [6, 8]] [1, 2] [-1.3, 1.9] -8.81
