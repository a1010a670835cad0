# What docs/reference/numbers.md promises.
print(max([1.0, nan]), min(nan, 1.0), relu(nan), clip([nan, -20.0, 20.0, 3.0], -10, 10))   #: nan nan nan [nan, -10, 10, 3]
print(argmax([3.0, nan, 1.0, 5.0]), argmin([3.0, nan, 1.0, 5.0]), argmax([1.0, 2.0, nan]), argmax([3, 5, 5]))   #: 1 1 2 1
print(grad(x => max(x, 1.0))(1.0), grad(v => max(v) * 3)([2.0, 2.0, 2.0]))                 #: 0.5 [1, 1, 1]
print(sign([-2.0, 0.0, 3.0]), round([0.5, 1.5, 2.5, -0.5]), trunc([1.7, -1.7]))            #: [-1, 0, 1] [0, 2, 2, -0] [1, -1]
print(floor(-1.5), ceil(-1.5), -7 // 2, -7 % 2, 7 % -2, -7.5 // 2.0, -7.5 % 2.0)           #: -2 -1 -4 1 -1 -4 0.5
print(i8(120) // i8(-27), i8(120) % i8(-27), 2147483647 // -2)                             #: -5 -15 -1073741824
print(u8(-1.0), u8(255.9), u8(256.0), i32(nan), i32(inf), i32(-inf), i32(3e9))             #: 0 255 255 0 2147483647 -2147483648 2147483647
print(sum(zeros([0, 4]), axis = 0), size(max(zeros([2, 0]), axis = 0)), prod(zeros([0])))  #: [0, 0, 0, 0] 0 1
print(zeros([0, 4]) + zeros([4]), 1 + zeros([0]))                                          #: [] []
print(logsumexp([-inf, -inf]), grad(x => logsumexp([-inf, -inf + x]))(1.0))                #: -inf 0
print(prod([2.0, 0.0, 3.0]), grad(v => prod(v))([0.0, 0.0, 3.0]))                          #: 0 [0, 0, 0]
print(sum(bf16(ones([512]))), sum(f16(ones([4096]))), mean(f16(ones([4096]))))             #: 512 4096 1
print(grad(x => abs(x))(0.0), grad(x => relu(x))(0.0), grad(v => norm(v))([0.0, 0.0]))     #: 0 0 [0, 0]
print(grad(v => sum(hypot(v, v)))([0.0]), grad(x => sqrt(x))(0.0))                         #: [0] inf
print(log2(8.0), log10(1000.0), exp2(3.0), cbrt(-8.0), atan2(1.0, -1.0) * 4 / pi)          #: 3 3 8 -2 3
print(log1p(0.0), expm1(0.0), erf(0.0), asin(1.0) * 2 / pi, tan(0.0), sinh(0.0), cosh(0.0))   #: 0 0 0 1 0 0 1
print(grad(b => sum([0.0, 2.0] ^ b))(1.0) / log(2.0), 2.0 ^ -1.0, 2 ^ 2 ^ 3)              #: 2 0.5 256
print(close(1.0, 1.0 + 1e-7), close([1.0, 2.0], [1.0, 2.1]), close(1.0, 1.05, tol = 0.1))  #: true false true
