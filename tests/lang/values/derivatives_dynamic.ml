# First and second derivatives against finite differences, in f64: recursion, folds, lists, variants.
fn near(a: f64[3], b: f64[3]) -> bool = all(abs(a - b) <= 1e-7 * (1 + abs(b)))
fn bump(w: f64[n], i: i32, h: f64) -> f64[n] = for k < n => if k == i then w[k] + h else w[k]
fn slopes(f: f64[3] -> f64, w: f64[3]) -> f64[3] =
  for i < 3 => (8 * (f(bump(w, i, 1e-3)) - f(bump(w, i, -1e-3))) - (f(bump(w, i, 2e-3)) - f(bump(w, i, -2e-3)))) / 12e-3
let w = f64([0.7, -1.3, 0.4])
let c = f64([0.3, 0.9, -1.1])
fn check(f: f64[3] -> f64) -> (bool, bool) {
  let g = v => sum(c * grad(f)(v))
  let first = near(grad(f)(w), slopes(f, w))
  let second = near(grad(g)(w), slopes(g, w))
  (first, second)
}
fn check3(f: f64[3] -> f64) -> bool {
  let g = v => sum(c * grad(f)(v))
  let h = v => sum(c * grad(g)(v))
  near(grad(h)(w), slopes(h, w))
}

type Tree = Leaf(x: f64) | Node(left: Tree, right: Tree)
fn build(n: i32, w: f64[3]) -> Tree = if n <= 0 then Leaf(w[0] * w[1]) else Node(build(n - 1, w * 1.1), if n % 2 == 0 then Leaf(sin(w[n % 3])) else build(n - 2, w))
fn total(t: Tree, w: f64[3]) -> f64 = match t {
  Leaf(x) => x * w[2]
  Node(a, b) => total(a, w) * w[0] + sin(total(b, w) * w[1])
}
print(check(w => total(build(4, w), w)))  #: (true, true)
print(check3(w => total(build(3, w), w)))  #: true
let fixed = Node(Leaf(0.5), Node(Leaf(1.5), Node(Leaf(2.0), Leaf(-1.0))))
print(check(w => total(fixed, w)))  #: (true, true)

# records as results, of which one part is used
fn walk(t: Tree, w: f64[3]) -> { s: (f64, f64[2]), loss: f64 } = match t {
  Leaf(x) => { s: (x * w[0], w[1:] * x), loss: sqrt(x * x * w[1] * w[1]) }
  Node(a, b) => {
    let (p, q) = (walk(a, w), walk(b, w))
    { s: (p.s.0 * q.s.0 + sum(p.s.1), tanh(p.s.1 - q.s.1)), loss: p.loss + q.loss + exp(p.s.0 * w[2]) }
  }
}
print(check(w => walk(fixed, w).loss))  #: (true, true)
print(check(w => walk(build(3, w), w).loss + walk(fixed, w).s.0))  #: (true, true)

# mutual recursion
fn even(n: i32, x: f64) -> f64 = if n == 0 then x else odd(n - 1, x * 1.1) * x
fn odd(n: i32, x: f64) -> f64 = if n == 0 then x * x else even(n - 1, sin(x)) + x
print(check(w => even(5, w[0]) + odd(4, w[1]) * w[2]))  #: (true, true)

# two calls
fn fib(n: i32, x: f64, y: f64) -> f64 = if n < 2 then x * y else fib(n - 1, x, y * x) + sin(fib(n - 2, y, x))
print(check(w => fib(6, w[0], w[1]) * w[2]))  #: (true, true)

# lists
fn powers(n: i32, x: f64) -> [f64] = loop l: [f64] = [] for i in 0..n { append(l, if i == 0 then x else l[i - 1] * x) }
print(check(w => sum(for p in powers(4, w[0]) => p * w[1]) + f64(length(powers(3, w[1])))))  #: (true, true)
print(check(w => sum(for (a, b) in zip(powers(4, w[0]), reverse(powers(4, w[1]))) => a * b * w[2])))  #: (true, true)
print(check(w => sum(for p in powers(5, w[0]) if p > 0.3 => p ^ 2 * w[1])))  #: (true, true)
print(check(w => sum(for p in powers(0, w[0]) => p * w[1]) + w[2] ^ 2))  #: (true, true)
print(check(w => { let l = concat(powers(3, w[0]), powers(2, w[1])); l[1] * l[-1] + sum(stack(l[1:4])) ^ 2 }))  #: (true, true)
print(check(w => { let l = powers(6, w[0]); sum(for x in l[::2] => sin(x)) + sum(for x in l[::-1] => x * w[1]) }))  #: (true, true)
let rows = for k in [2, 0, 3] => for i in 0..k => f64(i) + 0.5
print(check(w => sum(for r in rows => prod(for x in r => x * w[0] + w[1]))))  #: (true, true)
print(check(w => sum(for r in (for r in rows => for x in r => x * w[0]) => sum(for x in r => sin(x) * w[2]))))  #: (true, true)
# lists of tensors of other lengths
fn ramps(n: i32, w: f64[3]) -> [f64[?]] = for i in 0..n => (for k < 3 => w[k] * f64(i))
print(check(w => sum(for r in ramps(4, w) => sum(r) * sum(r[1:]))))  #: (true, true)
# fold with several states
print(check(w => { let (a, b, _) = loop (a, b, n) = (w[0], w, 0) for x in powers(4, w[1]) { (sin(a) * x, b * a + w, n + 1) }; a * sum(b * b) }))  #: (true, true)
print(check(w => sum(for s in (scan s = w for x in powers(4, w[1]) { tanh(s * x + w) }) => sum(s) ^ 2)))  #: (true, true)
# while
print(check(w => { let (x, _) = loop (x, k) = (w[0], 0) while k < 5 and abs(x) < 3 { (x * w[1] + sin(x), k + 1) }; x * w[2] }))  #: (true, true)
print(check(w => { let l = loop l: [f64] = [w[0]] while length(l) < 4 { append(l, l[-1] * w[1]) }; sum(stack(l) ^ 2) }))  #: (true, true)
# while in a recursion
fn deep(n: i32, x: f64, w: f64[3]) -> f64 {
  let (y, _) = loop (y, k) = (x, 0) while k < n { (sin(y) * w[0] + w[1], k + 1) }
  if n == 0 then y * w[2] else y + deep(n - 1, y * w[2], w)
}
print(check(w => deep(3, 0.5, w)))  #: (true, true)
# recursion in a fold, fold in a recursion
print(check(w => sum(for x in powers(3, w[0]) => fib(3, x, w[1]))))  #: (true, true)
fn nest(n: i32, l: [f64], w: f64[3]) -> f64 = if n == 0 then sum(for x in l => x * w[0]) else nest(n - 1, for x in l => sin(x + w[1]), w) + l[0]
print(check(w => nest(3, powers(3, w[2]), w)))  #: (true, true)
# recursion over slices
fn sums(l: [f64], w: f64[3]) -> f64 = if length(l) == 0 then 0 else l[0] * w[0] + sums(l[1:], w) * w[1]
print(check(w => sums(powers(4, w[2]), w)))  #: (true, true)
fn at(l: [f64], i: i32, w: f64[3]) -> f64 = if i == length(l) then 1 else l[i] * w[0] + at(l, i + 1, w) * w[1]
print(check(w => at(powers(4, w[2]), 0, w)))  #: (true, true)
# map with a recursion and lists inside
print(check(w => sum(for i < 4 => fib(i, w[0], w[1]))))  #: (true, true)
print(check(w => { let l = powers(4, w[0]); sum(for i < 4 => l[i] * w[1]) }))  #: (true, true)
print(check(w => { let l = powers(4, w[0]); let (s, t) = loop (s, t) = (w[0], w) for i in 0..4 { (s * l[i], t * s) }; sum(t) + s }))  #: (true, true)
# recompute
print(check(w => (recompute { sin(w[0]) * exp(w[1]) }) * w[2]))  #: (true, true)
print(check(w => (recompute { fib(4, w[0], w[1]) }) * w[2]))  #: (true, true)
# option-like values in lists
type Opt = None | Some(v: f64)
print(check(w => sum(for o in [Some(w[0]), None, Some(w[1] * w[2])] => match o { Some(v) => v * v; None => 1 })))  #: (true, true)
# variants with lists and tensors of any length
type Rose = Rose(v: f64[?], kids: [Rose])
fn weigh(r: Rose, w: f64[3]) -> f64 = match r { Rose(v, kids) => sum(v * v) * w[0] + sum(for k in kids => weigh(k, w) * w[1]) }
fn grow(n: i32, w: f64[3]) -> Rose = Rose(w * f64(n), for i in 0..n => grow(i, w * 0.9))
print(check(w => weigh(grow(3, w), w)))  #: (true, true)
print(check(w => weigh(grow(3, w[:2] |> (v => concat(v, v[:1]))), w)))  #: (true, true)

# forward mode, and products with second derivatives
let tree = w => total(build(3, w), w)
let along = jvp(tree)(w, c)
print(abs(along.1 - sum(c * grad(tree)(w))) < 1e-12)  #: true
print(near(hvp(tree)(w, c), grad(v => sum(c * grad(tree)(v)))(w)))  #: true
print(near(hessian(tree)(w) @ c, hvp(tree)(w, c)))  #: true

# deep
type Links = End | Link(x: f64, rest: Links)
fn chain(n: i32, w: f64) -> Links = loop l = End for i in 0..n { Link(w / f64(1 + i % 7), l) }
fn adds(l: Links, w: f64) -> f64 = match l { End => 0; Link(x, rest) => x * w + adds(rest, w) }
print(adds(chain(7, f64(1)), f64(60)), grad(w => adds(chain(20000, w), f64(1)) / adds(chain(20000, f64(1)), f64(1)))(f64(3)))  #: 155.571428571 1
