fn relu_of(x: f32[n]) = if x > 0 then x else 0
let gain = [0.5, 2.0]
print(loop g = gain while g < 10 { g * 2 })
assert gain == [0.5, 2.0]
