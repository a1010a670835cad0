# Products with zeros, and gradients of elements that are read twice.
print(grad(v => prod(v))([2.0, 0.0, 3.0]), grad(v => prod(v))([0.0, 0.0, 3.0]), grad(v => prod(v))([2.0, 3.0]), grad(v => prod(v))([0.0]), grad(v => prod(v))(zeros([0])))   #: [0, 6, 0] [0, 0, 0] [3, 2] [1] []
print(grad(m => sum(prod(m, axis = 1)))([[2.0, 0.0], [3.0, 4.0]]))                    #: [[0, 2], [4, 3]]
# running products
print(sum(cumprod([0.0, 2.0, 3.0])), grad(x => sum(cumprod(x)))([0.0, 2.0, 3.0]))     #: 0 [9, 0, 0]
print(sum(cumprod([2.0, 0.0, 0.0, 3.0])), grad(x => sum(cumprod(x)))([2.0, 0.0, 0.0, 3.0]))   #: 2 [1, 2, 0, 0]
print(cumsum([1.0, 2.0, 3.0]), grad(x => sum(cumsum(x)))([1.0, 2.0, 3.0]))            #: [1, 3, 6] [3, 2, 1]
# one element taken twice: what comes back adds up
print(grad(x => sum(x[[0, 0]] * [0.2, 0.3]))([0.1]), grad(x => sum(x[[2, 0, 2]] * [1.0, 2.0, 3.0]))([1.0, 1.0, 1.0]))   #: [0.5] [2, 0, 4]
let x = [[0.0, 1.0], [2.0, 3.0]]
fn picked(x: f32[m, n]) -> f32 = sum(for k < 3 => x[[1, 1, 0][k], [1, 1, 0][k]])
print(picked(x), grad(picked)(x))                                                     #: 6 [[1, 0], [0, 2]]
print(grad(x => sum(x[[1, 1, 0]] * 2))(x))                                            #: [[2, 2], [4, 4]]
# written to other places after a map
fn scattered(x: f32[3]) -> f32[3] = { let y = x ^ 2; for i => y[[2, 1, 0][i]] }
print(scattered([1.0, 2.0, 3.0]), sum(scattered([1.0, 2.0, 3.0])), grad(x => sum(scattered(x)))([1.0, 2.0, 3.0]))   #: [9, 4, 1] 14 [2, 4, 6]
# an element replaced after it has been used: values stay what they were
fn replaced(a: f32[3]) -> f32 = { let b = sigmoid(a); let c = update(b, 1, 2.0); sum(c) }
print(for g in grad(replaced)([1.0, 2.0, 3.0]) => round(g * 1000000) / 1000000)       #: [0.196612, 0, 0.045177]
let column = [[1.0], [2.0], [3.0], [4.0]]
print(concat([column * column, column], axis = 1))                                    #: [[1, 1], [4, 2], [9, 3], [16, 4]]
