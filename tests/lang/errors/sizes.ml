# Sizes with several names are decided when all arguments are known, in any order of the arguments.
fn product(x: f32[a * b], y: f32[a], z: f32[b]) -> f32 = sum(x) + sum(y) + sum(z)
print(product(zeros([6]), zeros([2]), zeros([2])))      #~ E0203
fn total(x: f32[a + b], y: f32[a], z: f32[b]) -> f32 = sum(x) + sum(y) + sum(z)
print(total(zeros([5]), zeros([2]), zeros([2])))        #~ E0203
fn last(y: f32[a], z: f32[b], x: f32[a * b + 1]) -> f32 = sum(x) + sum(y) + sum(z)
print(last(zeros([2]), zeros([3]), zeros([6])))         #~ E0203
fn open(x: f32[a * b]) -> f32 = sum(x)
print(open(zeros([2])))                                 #~ E0206
fn even(x: f32[2 * k]) -> f32[k] = x[:k]
print(even(zeros([5])))                                 #~ E0203
