fn squared(prediction: f32[n, 1], target: f32[n]) -> f32 = mean((prediction - target) ^ 2)

let predictions = zeros([8, 1])
let targets = ones([8])
print(mean(abs(predictions - targets)))
