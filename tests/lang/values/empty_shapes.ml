# Shapes with an axis of size 0: only a reduction that has no value for nothing is refused (see errors/empty.ml).
print(size(max(zeros([2, 0]), axis = 0)), size(argmax(zeros([2, 0]), axis = 0)), size(zeros([0, 4])))   #: 0 0 0
print(size(zeros([0, 4]) + ones([4]), axis = 0), size(zeros([0, 4]) + ones([4]), axis = 1), size(1 + zeros([0])))   #: 0 4 0
print(sum(zeros([0, 4]), axis = 0), sum(zeros([0])), prod(zeros([0])), all(zeros([0]) > 1), any(zeros([0]) > 1))    #: [0, 0, 0, 0] 0 1 true false
print(grad(x => sum(x * 2))(zeros([0])), grad(b => sum(zeros([0, 4]) + b))(ones([4])), norm(zeros([0])))            #: [] [0, 0, 0, 0] 0
print(size(zeros([0, 3]) @ zeros([3, 2]), axis = 1), zeros([2, 0]) @ zeros([0, 3]), concat(zeros([0]), [1.0]))      #: 2 [[0, 0, 0], [0, 0, 0]] [1]
print(for i < 0 => i, for x in zeros([0]) => x, size(transpose(zeros([0, 3])), axis = 0), size(reshape(zeros([0, 4]), [2, 0]), axis = 0))   #: [] [] 3 2
let none: [i32] = []
print(length(none), for x in none => x + 1, loop s = 0 for x in none { s + x })                                     #: 0 [] 0
print(scan s = 0.0 for x in zeros([0]) { s + x }, size(flip(zeros([0]), axis = 0)), cumsum(zeros([0])))             #: [] 0 []
