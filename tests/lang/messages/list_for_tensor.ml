fn total(x: f32[n]) -> f32 = sum(x)
let names = ["a", "b"]
let rows = [[1.0], [2.0, 3.0]]
print(total(rows))
print(sum(rows))
print(rows + 1)
