# Sizes are compared in one form, whatever way they are written, as symbols and as numbers.
fn one(x: f32[1 + n], y: f32[n + 1]) -> f32[n + 1] = x + y
fn two(x: f32[(a + b) + c], u: f32[a], v: f32[b]) -> f32[a + (b + c)] = x
fn three(x: f32[2 * n]) -> f32[n + n] = x
fn four(x: f32[n * (m + 1)], y: f32[n], z: f32[m]) -> f32[n * m + n] = x
fn five(x: f32[n]) -> f32[(n + 2) - 2] = x
print(one([1.0, 2.0], [3.0, 4.0]), two([1.0, 2.0, 3.0], [1.0], [1.0]), three([1.0, 2.0]), four([1.0, 2.0], [1.0], [1.0]), five([1.0]))   #: [4, 6] [1, 2, 3] [1, 2] [1, 2] [1]
let n: dim = 10 + 10 + 10
let x: f32[30] = ones([n])
fn tens(x: f32[10 + 10 + 10]) -> f32[30] = x
fn joined(x: f32[k]) -> f32[k + k + k] = concat(x, x, x)
print(sum(tens(x)), sum(tens(joined(ones([10])))), sum(joined(ones([10])) + ones([30])))   #: 30 30 60
