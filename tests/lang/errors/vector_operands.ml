print(loop g = () while g < 10 { g * 2 })    #~ E0222
print(-("s", 1.0))                           #~ E0222
print(norm(true))                            #~ E0310
print(norm([true, false]))                   #~ E0310
print(dot((true, 1.0), (false, 2.0)))        #~ E0310
fn most(x: f32[n]) = max(n, true)            #~ E0221
print(append(zeros([0, 4]), [1.0, "s"]))     #~ E0217
print(append(zeros([0, 2]), ["s", 1.0]))     #~ E0217
type Tree = Leaf(x: f32) | Node(left: Tree, right: Tree)
fn scaled(t: Tree) = t * [1.0, 2.0]          #~ E0222
