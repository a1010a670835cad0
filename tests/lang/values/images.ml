# Numbers from PyTorch where they are not plain.
let x = reshape(f32(arange(18)) / 10, [2, 3, 3])
let w = reshape((f32(arange(16)) - 8) / 10, [2, 2, 2, 2])
print(close(flatten(conv2d(x, w)), [-1.48, -1.84, -2.56, -2.92, 2.68, 2.96, 3.52, 3.8]))                          #: true
print(close(flatten(conv2d(x, w, [1.0, -1.0], stride = 2, pad = 1)), [0.91, 0.53, -0.02, -1.92, -0.37, 0.45, 0.86, 2.8]))   #: true
let wg = reshape((f32(arange(8)) - 4) / 10, [2, 1, 2, 2])
print(close(flatten(conv2d(x, wg, groups = 2)), [-0.13, -0.23, -0.43, -0.53, 0.73, 0.79, 0.91, 0.97]))            #: true
let k = reshape([1.0, 2.0, 3.0, 4.0], [1, 1, 2, 2])
print(flatten(conv2d(reshape(f32(arange(25)), [1, 5, 5]), k, dilation = 2)))       #: [82, 92, 102, 132, 142, 152, 182, 192, 202]
# sizes: kernel (3, 5), dilation (2, 3), the padding that keeps 28 x 31; and 8 with kernel 3, 1 and dilation 2
let kept = conv2d(zeros([1, 28, 31]), zeros([1, 1, 3, 5]), pad = [2, 6], dilation = [2, 3])
print(size(kept, axis = 1), size(kept, axis = 2))                                 #: 28 31
print(size(conv2d(zeros([1, 8, 1]), zeros([1, 1, 3, 1]), dilation = [2, 1]), axis = 1))   #: 4
print(size(conv2d(zeros([1, 8, 1]), zeros([1, 1, 1, 1]), dilation = [2, 1]), axis = 1))   #: 8
# a stride that does not divide: the last element is in no window
fn line(x: f32[6], w: f32[3]) -> f32 = sum(conv2d(reshape(x, [1, 1, 6]), reshape(w, [1, 1, 1, 3]), stride = [1, 2]))
print(grad(line, wrt = (x, w))([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], ones([3])))         #: ([1, 1, 2, 1, 1, 0], [4, 6, 8])
let y = reshape(f32(arange(16)), [1, 4, 4])
print(flatten(max_pool2d(y, 2)), flatten(max_pool2d(y, 3, 1)))                    #: [5, 7, 13, 15] [10, 11, 14, 15]
print(flatten(max_pool2d(y, [1, 4])), flatten(avg_pool2d(y, 2)))                  #: [3, 7, 11, 15] [2.5, 4.5, 10.5, 12.5]
print(global_avg_pool(y), isnan(max_pool2d([[[1.0, nan], [2.0, 3.0]]], 2)[0, 0, 0]))   #: [7.5] true
print(grad(y => sum(max_pool2d(y, 2)))([[[1.0, 1.0], [0.0, 1.0]]]))               #: [[[0.333333, 0.333333], [0, 0.333333]]]
print(pad([[1.0, 2.0]], [0, 1]), size(pad(zeros([3, 32, 32]), [0, 4, 4]), axis = 1))   #: [[0, 1, 2, 0]] 40
print(flip([[1, 2], [3, 4]], axis = 1), flip([[1, 2], [3, 4]], axis = 0))         #: [[2, 1], [4, 3]] [[3, 4], [1, 2]]
