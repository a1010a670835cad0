fn product(x: f32[a * b], y: f32[a], z: f32[b]) -> f32[b, a] = reshape(x, [b, a]) + y
print(product([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0, 0.0], [0.0, 0.0, 0.0]))   #: [[1, 2], [3, 4], [5, 6]]
fn total(x: f32[a + b], y: f32[a], z: f32[b]) -> i32 = 10 * a + b
print(total(zeros([5]), zeros([2]), zeros([3])))                              #: 23
fn even(x: f32[2 * k + 1]) -> f32[k] = x[:k]
print(even([1.0, 2.0, 3.0, 4.0, 5.0]))                                        #: [1, 2]
