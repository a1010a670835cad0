seed(3)
let p = permutation(10)
print(sum(p), all(sort(p) == arange(10)), all(sort(shuffle([3, 1, 2])) == [1, 2, 3]))     #: 45 true true
print(categorical([-inf, 0.0, -inf]), categorical([0.0]))                                 #: 1 0
let draws = for i < 4000 => categorical([0.0, log(3.0)])
print(abs(mean(f32(draws)) - 0.75) < 0.03)                                                #: true
print(dropout([1.0, 2.0], 0.5))                                                           #: [1, 2]
let c = random_crop(reshape(f32(arange(16)), [4, 4]), [2, 4])
print(all(c[1] - c[0] == 4), c[0, 0] % 4, size(random_crop(zeros([3, 40, 40]), [3, 32, 32]), axis = 2))   #: true 0 32
let starts = for i < 500 => random_crop(arange(3), [2])[0]
print(min(starts), max(starts))                                                           #: 0 1
