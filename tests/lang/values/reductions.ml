let m = [[1.0, 5.0], [4.0, 2.0]]
print(sum(m), sum(m, axis = 0), mean(m, axis = 1))        #: 12 [5, 7] [3, 3]
print(max(m), min(m, axis = 0), max(2.0, 3.0))            #: 5 [1, 2] 3
print(argmax([3.0, nan, 1.0, 5.0]), argmin([3.0, 1.0, 2.0])) #: 1 1
print(max([1.0, nan]), relu([-1.0, 0.0, 2.0]))            #: nan [0, 0, 2]
print(prod([2.0, 3.0, 4.0]), cumsum([1.0, 2.0, 3.0]))     #: 24 [1, 3, 6]
print(all([true, false]), any([true, false]))             #: false true
print(reshape([1.0, 2.0, 3.0, 4.0], [2, 2]), flatten(m))  #: [[1, 2], [3, 4]] [1, 5, 4, 2]
print(sum(zeros([0])), concat([1.0], [2.0, 3.0]))         #: 0 [1, 2, 3]
print(split([1.0, 2.0, 3.0, 4.0], 2))                     #: ([1, 2], [3, 4])
print(clip([nan, -20.0, 20.0, 3.0], -10, 10))             #: [nan, -10, 10, 3]
