type Shape = Circle(r: f32) | Square(side: f32) | Empty
fn area(s: Shape) -> f32 = match s { Circle(r) => pi * r * r; Square(a) => a * a; Empty => 0 }
print(area(Circle(2.0)), area(Square(3)), area(Empty))                 #: 12.5664 9 0
print(Circle(1.5))                                                     #: Circle(1.5)
let xs = [Circle(1.0), Empty, Square(2.0)]
print(for s in xs => area(s))                                          #: [3.14159, 0, 4]
print(sum(for s in xs => area(s)))                                     #: 7.14159
let n = 5
fn upto(n: i32) -> [i32] = loop out = [] for i in 0..n { append(out, i * i) }
print(upto(n))                                                         #: [0, 1, 4, 9, 16]
print(upto(6)[1:-1], length(upto(4)))                                  #: [1, 4, 9, 16] 4
let evens = for i in 0..10 if i % 2 == 0 => i
print(evens)                                                           #: [0, 2, 4, 6, 8]
let w = loop (a, k) = (1.0, 0) while a < 100 { (a * 2, k + 1) }
print(w)                                                               #: (128, 7)
print(scan s = 0 while s < 5 { s + 2 })                                #: [2, 4, 6]
type P = { x: f32, y: f32 }
let p = P { x: 1.0, y: 2 }
let q = { ..p, y: 5.0 }
print(p, q, p + q, 2 * p)                                              #: { x: 1, y: 2 } { x: 1, y: 5 } { x: 2, y: 7 } { x: 2, y: 4 }
fn count(n: i32) -> i32 = if n <= 0 then 0 else 1 + count(n - 1)
print(count(50000))                                                    #: 50000
fn even(n: i32) -> bool = if n == 0 then true else odd(n - 1)
fn odd(n: i32) -> bool = if n == 0 then false else even(n - 1)
print(even(10), odd(7), even(7))                                       #: true true false
print(for (a, b) in zip([1, 2, 3], [10.0, 20.0, 30.0]) => f32(a) * b)  #: [10, 40, 90]
print(match (1, 2) { (1, b) => b; (a, _) => a })                       #: 2
let t = "abc"
print(if t == "abc" then "yes" else "no")                              #: yes
let v: f32[?] = for i in 0..n => f32(i)
print(v, sum(v))                                                       #: [0, 1, 2, 3, 4] 10
fn twice(x: f32[?]) -> f32[?] = 2 * x
print(twice(v))                                                        #: [0, 2, 4, 6, 8]
fn first(xs: ['a]) -> 'a = xs[0]
print(first([3, 4]), first(["x", "y"]))                                #: 3 x
print(concat([1, 2], upto(3)), reverse(upto(4)))                       #: [1, 2, 0, 1, 4] [9, 4, 1, 0]
fn depth(e: Shape) -> i32 = match e { Circle(_) => 1; _ => 2 }
print(depth(Empty))                                                    #: 2
print([[1, 2], [3]])                                                   #: [[1, 2], [3]]
