fn f(x: f32) -> f32 = f(x) + f(x)   #~ E0299
fn g(x: f32) -> f32 = h(x)          #~ E0299
fn h(x: f32) -> f32 = g(x) * g(x)
