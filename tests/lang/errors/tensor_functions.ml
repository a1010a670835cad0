print(conv2d(zeros([3, 8, 8]), zeros([4, 2, 3, 3])))             #~ E0310
print(conv2d(zeros([8, 8]), zeros([4, 2, 3, 3])))                #~ E0310
print(conv2d(zeros([3, 2, 2]), zeros([4, 3, 3, 3])))             #~ E0310
print(conv2d(zeros([4, 8, 8]), zeros([6, 2, 1, 1]), groups = 3)) #~ E0310
print(max_pool2d(zeros([1, 2, 2]), 3))                           #~ E0310
print(solve(eye(3), [1.0, 2.0]))                                 #~ E0310
print(inverse(zeros([2, 3])))                                    #~ E0310
print(qr(zeros([2, 3])))                                         #~ E0310
print(top_k([1.0, 2.0], 3))                                      #~ E0310
print(random_crop(zeros([2, 2]), [3, 2]))                        #~ E0310
print(dropout([1.0], 1.5))                                       #~ E0310
print(categorical([[0.0]]))                                      #~ E0310
print(update([1.0, 2.0], 0, [1.0]))                              #~ E0310
print(var([1, 2]))                                               #~ E0310
print(max(zeros([0, 4]), axis = 0))                              #~ E0320
