option hidden: dim = 64

fn layer(w: f32[hidden, inputs], x: f32[inputs]) -> f32[hidden] = w @ x
fn wrong(w: f32[hidden, inputs], x: f32[inputs]) -> f32[inputs] = w @ x @ w
fn scores(q: f32[t, d], k: f32[t, d]) -> f32[t, t] = q @ k

let weights = zeros([3, 4])
print(weights @ [1.0, 2.0, 3.0])
