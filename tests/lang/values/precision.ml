# Sums of half precision add in f32; subnormal numbers are kept, folded or not.
print(softmax(bf16(zeros([512])))[7] == bf16(0.001953125), sum(bf16(ones([512]))), sum(softmax(bf16(zeros([512])))))   #: true 512 1
print(sum(f16(ones([4096]))), mean(f16(ones([4096]))), mean(f16(ones([100000]))), sum(bf16(ones([300, 3])), axis = 0))  #: 4096 1 1 [300, 300, 300]
print(dot(bf16(ones([1000])), bf16(ones([1000]))), mean(bf16(ones([1000]))))          #: 1000 1
# products and sums whose parts are below the normal range
let tiny = [1e-10, 1e-30]
print(f32(1e-10) * f32(1e-30) == tiny[0] * tiny[1], f32(1e-10) * f32(1e-30) > 0, tiny[0] * tiny[1] < 1.1e-40)   #: true true true
print("{log(1.401298464324817e-45):.5f}", exp(-103.0) > 0, exp(-104.5))               #: -103.27893 true 0
print(1e-45 / 2 == 0, 1.17549435e-38 / 2 > 0, f64(1e-300) * f64(1e-10) > 0)           #: true true true
# a derivative near a point where the formula cancels
fn sinc(x: f64) -> f64 = if x == 0 then 1 + 0 * x else sin(x) / x
print(abs(grad(t => sinc(2 * t - 1))(f64(0.49999999999999994)) - 7.4e-17) < 1e-12)    #: true
print(f64(0.1) + f64(0.2) == f64(0.3), f32(16777216) + 1 == 16777216, sum(f32(ones([1000]))) / 1000)   #: false true 1
# the variance over n and over n - 1, and what is normalised with the first
print(var([1.0, 2.0, 3.0, 4.0]), "{var([1.0, 2.0, 3.0, 4.0], ddof = 1):.5f}", for x in standardized([1.0, 2.0, 3.0, 4.0], eps = 0.0) => round(x * 1000000) / 1000000)   #: 1.25 1.66667 [-1.34164, -0.447214, 0.447214, 1.34164]
