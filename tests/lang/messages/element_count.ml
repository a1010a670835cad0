option width: dim = 28
fn image(x: f32[n]) = reshape(x, [width, width])
let pixels = zeros([width * width + 1])
print(reshape(pixels, [width, width]))
print(reshape(zeros([2, 3]), [4]))
