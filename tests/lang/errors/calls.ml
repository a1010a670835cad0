fn f(x: f32[n], y: f32[n]) -> f32 = dot(x, y)
print(f([1.0], [1.0, 2.0]))         #~ E0203
print(f([1.0]))                     #~ E0252
print(f([1.0], [1.0], [1.0]))       #~ E0251
print(f([1.0], z = [1.0]))          #~ E0253
print(grad(x => x * x)([1.0]))      #~ E0340
fn g(n: i32) -> i32 = n * n
print(grad(g)(3))                   #~ E0341
fn h(x: f32[a], y: f32[b]) -> f32[a] = x + y   #~ E0220
print(relu())                       #~ E0252
