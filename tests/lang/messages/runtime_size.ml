fn ones_of(count: i32) = ones([count])
let samples = sum([1, 2, 3])
let w: f32[samples] = 0
model Linear(inputs: dim) {
  param w: f32[inputs] = 0
  fn call(x: f32[inputs]) -> f32 = dot(w, x)
}
let m = Linear(samples)
