let loaded = [1.0, 2.0]
fn half(x: f32) -> f32 = x / 2
print("loading")
