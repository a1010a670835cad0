let x = [1.0, 2.0, 3.0]
let y = [1.0, 2.0]
print(x + y)                        #~ E0220
print(x + [1, 2, 3])                #~ E0221
print([[1.0, 2.0]] @ x)             #~ E0223
print(1 / 2)                        #~ E0225
print(if x > 1 then 1 else 2)       #~ E0240
print(nothing_here)                 #~ E0210
print(x.length_of)                  #~ E0211
print(x[5])                         #~ E0232
print(reshape([1.0, 2.0, 3.0], [2, 2]))           #~ E0330
print(for i => i)                   #~ E0242
print(max(zeros([0])))              #~ E0320
