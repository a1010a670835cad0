# A reduction without a value for nothing, and shapes that do not meet.
print(max(zeros([0, 4]), axis = 0))                 #~ E0320
print(min(zeros([0])))                              #~ E0320
print(argmax(zeros([3, 0]), axis = 1))              #~ E0320
print(mean(zeros([0])))                             #~ E0320
print(zeros([0]) + zeros([3]))                      #~ E0220
print(zeros([0]) + zeros([1]))                      #~ E0220
print(zeros([1]) + zeros([4]))                      #~ E0220
print(zeros([0]) @ zeros([1]))                      #~ E0223
# one count of elements in two shapes is no reason to subtract
print(mean(abs(zeros([2, 3]) - zeros([3, 2]))))     #~ E0220
print(mae(zeros([2, 3]), zeros([3, 2])))            #~ E0203
print(mse(zeros([6]), zeros([2, 3])))               #~ E0203
print(zeros([2, 3]) == zeros([3, 2]))               #~ E0220
# sizes that are really different are shown in one form
fn longer(x: f32[1 + n], y: f32[n + 2]) -> f32[n + 1] = x + y   #~ E0220
fn doubled(x: f32[2 * n]) -> f32[n + n + 1] = x     #~ E0203
# chains of comparisons, types that do not mix
print(1.0 + true)                                   #~ E0221
