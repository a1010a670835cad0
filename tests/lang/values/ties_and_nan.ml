# Equal elements share a gradient; NaN wins every comparison of size, wherever it stands.
# two equal sides share equally
print(grad((a, b) => max(a, b), wrt = (a, b))(1.0, 1.0), grad((a, b) => min(a, b), wrt = (a, b))(1.0, 1.0))   #: (0.5, 0.5) (0.5, 0.5)
print(jvp(a => max(a, 1.0))(1.0, 1.0), grad(a => clip(a, 0.0, 1.0))(1.0), grad(a => clip(a, 0.0, 1.0))(0.0))   #: (1, 0.5) 0.5 0.5
# three tied elements, then a factor
print(max([2.0, 2.0, 2.0]) * 3, grad(v => max(v) * 3)([2.0, 2.0, 2.0]), sum(grad(v => max(v) * 3)([2.0, 2.0, 2.0])))   #: 6 [1, 1, 1] 3
print(grad(v => min(v))([1.0, 1.0, 5.0]), grad(m => sum(max(m, axis = 1)))([[1.0, 1.0], [0.0, 2.0]]))   #: [0.5, 0.5, 0] [[0.5, 0.5], [0, 1]]
# the place of the largest agrees with the largest: the first NaN
print(max([3.0, nan, 1.0, 5.0]), argmax([3.0, nan, 1.0, 5.0]), argmin([3.0, nan, 1.0, 5.0]), argmax([1.0, 2.0, nan]), argmax([3.0, 5.0, 1.0]))   #: nan 1 1 2 1
print(argmax([nan]), argmax([1.0, nan, nan]), argmax([[1.0, nan], [3.0, 2.0]], axis = 1), argmin([[1.0, nan], [3.0, 2.0]], axis = 0))   #: 0 1 [1, 0] [0, 0]
print(argmax([-inf, -inf]), argmax(concat(zeros([40]), [nan], zeros([3]))), isnan(min(concat(zeros([40]), [nan]))))   #: 0 40 true
# limits keep NaN, at run time and as a constant
let values = [nan, -20.0, 20.0, 3.0]
print(clip(values, -10, 10), clip([nan, -20.0, 20.0, 3.0], -10, 10), clip(nan, -10, 10))   #: [nan, -10, 10, 3] [nan, -10, 10, 3] nan
print(nan == nan, nan != nan, nan < 1, max(nan, 1.0), max(1.0, nan), relu(nan), sign(nan))   #: false true false nan nan nan nan
