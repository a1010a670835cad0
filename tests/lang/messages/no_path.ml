fn loss(w: f32[3], x: f32[3]) -> f32 = sum(x * x)
print(grad(loss)([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]))
fn frozen(w: f32[3]) -> f32 {
  let h = stop_gradient(w)
  sum(h * h)
}
print(grad(frozen)([1.0, 2.0, 3.0]))
fn hard(w: f32[3]) -> f32 = f32(argmax(w))
print(grad(hard)([1.0, 2.0, 3.0]))
