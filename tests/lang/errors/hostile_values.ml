# What once stopped the compiler itself: sizes that are negative, too large or zero where one is needed, wrong element types.
import nn
print(zeros([9223372036854775807]))                 #~ E0204
print(std(ones([3000000000, 3000000000])))          #~ E0204
print(rfft(zeros([0])))                             #~ E0310
print(batch_sum([1, 2]))                            #~ E0310
print(batch_mean(true))                             #~ E0310
print(permutation(-1))                              #~ E0310
print(eye(-2))                                      #~ E0310
print(linspace(0.0, 1.0, -1))                       #~ E0310
print(top_k([1.0, 2.0], -1))                        #~ E0310
print(repeat([1.0], -1))                            #~ E0310
print(normal([-1]))                                 #~ E0202
let layer = nn.Dense(-1, 3)                         #~ E0256
let mixed = [1.0, "s"]                              #~ E0236
print(for i < 2 => mixed[i])                        #~ E0236
print(for i < 2 => append(mixed, 1.0))
fn negative(n: dim) = zeros([n - 5])                #~ E0202
print(negative(2))
