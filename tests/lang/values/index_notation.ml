fn matmul(a: float[m, k], b: float[k, n]) -> float[m, n] = for i, j => sum(for p => a[i, p] * b[p, j])
let x = [1.0, 2.0, 3.0]
let outer = for i, j => x[i] * x[j]
print(outer)                                     #: [[1, 2, 3], [2, 4, 6], [3, 6, 9]]
print(for i < 4 => i * i)                        #: [0, 1, 4, 9]
print(for i in 2..5 => i)                        #: [2, 3, 4]
print(for v in x => v + 1)                       #: [2, 3, 4]
print(sum(for i => outer[i, i]))                 #: 14
print(matmul(outer, outer)[0])                   #: [14, 28, 42]
print(x[-1], x[1:], outer[:, 0], outer[1, 0:2])  #: 3 [2, 3] [1, 2, 3] [2, 4]
print(x[[2, 0, 2]])                              #: [3, 1, 3]
print(for i => if x[i] > 1.5 then x[i] else 0.0) #: [0, 2, 3]
