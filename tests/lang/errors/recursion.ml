fn f(x: f32) = if x > 0 then f(x - 1) else x   #~ E0257
fn grow(x: f32[n]) -> f32 = grow(concat(x, x))   #~ E0258
