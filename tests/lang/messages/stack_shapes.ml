fn f(a: f32[n], b: f32[m]) = stack([a, b])
let rows = [[1.0], [2.0, 3.0]]
print(stack(rows))
