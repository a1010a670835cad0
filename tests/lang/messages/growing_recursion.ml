fn grow(x: f32[n]) -> f32 = if sum(x) > 100 then sum(x) else grow(concat(x, x))
print(grow([1.0]))
