fn f(x: f32) -> f32 = x ^ 2 * sin(x)
let x = [1.0, 2.0, 3.0]
print("{grad(f)(2.0):.4f} {grad(grad(f))(2.0):.4f}")                        #: 1.9726 -5.1478
print(grad((x, y, z) => sum(x * y + z), wrt = (x, y, z))(x, x, x))          #: ([1, 2, 3], [1, 2, 3], [1, 1, 1])
print(value_and_grad(v => sum(v * v))(x))                                   #: (14, [2, 4, 6])
print(grad(v => norm(v))([0.0, 0.0]), grad(v => norm(v) ^ 2)([1.0, 1.0]))   #: [0, 0] [2, 2]
print(grad(v => where(v > 0, 0.0, v * inf))(1.0))                           #: 0
print(grad(v => max(v))([2.0, 2.0]), grad(v => relu(v))(0.0))               #: [0.5, 0.5] 0
print(grad(v => v ^ 2)(-2.0), grad(v => v ^ 2)(0.0))                        #: -4 0
print(grad(v => prod(v))([2.0, 0.0, 3.0]))                                  #: [0, 6, 0]
print(grad(v => cross_entropy(v, 0))([-431.0, 279.0, 427.0]))               #: [-1, 0, 1]
print(cross_entropy([2.0, 0.0], 0) < 0.127, logsumexp([-inf, -inf]))        #: true -inf
print(grad(v => v[[0, 0]][0] * 0.2 + v[[0, 0]][1] * 0.3)([0.1]))            #: [0.5]
let b = 5.0
print(grad(v => 4 * v ^ 2 + b * v + 10)(25.0))                              #: 205
