import nn
model Stack(fs...) {
  layer all = fs
  fn call(x: f32[..s]) = loop x = x for f in all { f(x) }
}
let s = Stack(nn.Dense(3, 4), nn.Dense(4, 2))
print(size(s([1.0, 2.0, 3.0])))                                              #: 2
fn apply_twice(f: f32 -> f32, x: f32) -> f32 = f(f(x))
print(apply_twice(x => x * 3, 2.0))                                          #: 18
print(bernoulli(1.0), length([1, 2, 3]))                                     #: true 3
let big = loop s = (0, [1.0, 2.0]) for i in 0..4 { (s.0 + i, s.1 * 2) }
print(big)                                                                   #: (6, [16, 32])
let r = scan (a, b) = (0, 1) for _ in 0..8 { (b, a + b) } yield a
print(r)                                                                     #: [1, 1, 2, 3, 5, 8, 13, 21]
print(recompute { 2 * 3.0 })                                                 #: 6
print(on device(0) { 1.0 + 1 })                                              #: 2
let total: dim = 3 + 4
print(zeros([total]))                                                        #: [0, 0, 0, 0, 0, 0, 0]
print(for x in [1.0, 2.0, 3.0] if x > 1.5 => x)                              #: [2, 3]
print("{[1.0, 2.0]} and {3:.2f}")                                            #: [1, 2] and 3.00
fn tree(d: i32) -> f32 = if d == 0 then uniform([], 0.0, 1.0) else tree(d - 1) + tree(d - 1)
print(tree(3) > 0)                                                           #: true
fn fib(n: i32) -> i32 = match n { 0 => 0; 1 => 1; _ => fib(n - 1) + fib(n - 2) }
print(fib(15))                                                               #: 610
print(match "a" { "b" => 1; _ => 2 }, match true { true => 1; false => 0 })  #: 2 1

let x = [1.0, 2.0]
