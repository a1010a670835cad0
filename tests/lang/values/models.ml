
# named sizes
fn add(x: f32[a + b], y: f32[b + a]) -> f32[a + b] = x + y
fn outer(x: f32[n], y: f32[m]) -> f32[n, m] = for i, j => x[i] * y[j]
print(outer([1.0, 2.0], [3.0, 4.0, 5.0]))                                  #: [[3, 4, 5], [6, 8, 10]]

model Counter {
  param w: f32[2] = 1
  state n: i32 = 0
  state mean: f32[2] = 0
  fn call(x: f32[2]) -> f32[2] {
    n := n + 1
    mean := 0.9 * mean + 0.1 * batch_mean(x)
    w * x - mean
  }
}
let c = Counter()
print(c([1.0, 2.0]), c.n)                                                  #: [1, 2] 0
print(c.w)                                                                 #: [1, 1]

fn clipped(x: f32[..s]) -> f32[..s] = x
  backward (x, y, dy) => where(abs(x) < 1, dy, 0 * dy)
print(grad(x => sum(clipped(x) ^ 2))([0.5, 2.0]))                          #: [1, 0]

fn pick(x: f32, y: f32) -> f32 = x * y
  backward (x, y, r, d) => (2 * d, 3 * d)
print(grad(pick, wrt = (x, y))(1.0, 1.0))                                  #: (2, 3)

print(vjp(x => x * x)([1.0, 2.0], [1.0, 10.0]))                            #: ([1, 4], [2, 40])
print(jvp((x, y) => x * y, wrt = (x, y))(2.0, 3.0, 1.0, 0.0))              #: (6, 3)
print(hvp(x => sum(x ^ 3))([1.0, 2.0], [1.0, 0.0]))                        #: [6, 0]
print(jacobian(x => for i < 3 => x[0] * f32(i))([2.0]))                    #: [[0], [1], [2]]
print(hessian((x, y) => sum(x * x * y), wrt = x)([1.0, 2.0], [3.0, 4.0]))  #: [[6, 0], [0, 8]]
