# Gradients of recursive and recurrent models: along the gradient the loss changes by its norm.
import nn

fn agrees(loss, m) -> bool {
  let g = grad(loss)(m)
  let step = 1e-2 / norm(g)
  let change = (loss(m + step * g) - loss(m - step * g)) / 2e-2
  abs(change / norm(g) - 1) < 2e-3
}

type Tree = Leaf(label: i32, word: str) | Node(label: i32, left: Tree, right: Tree)
fn id(w: str) -> i32 = if w == "a" then 0 else if w == "bb" then 1 else 2

model TreeLstm(v: dim, d: dim, h: dim) {
  layer embed = nn.Embedding(v, d)
  param wx: f32[3 * h, d] ~ glorot()
  param bx: f32[3 * h] = 0
  param wl: f32[5 * h, h] ~ glorot()
  param wr: f32[5 * h, h] ~ glorot()
  param bn: f32[5 * h] = 0
  layer out = nn.Dense(h, 5)

  fn leaf(word: i32) -> (f32[h], f32[h]) {
    let (i, o, u) = split(wx @ embed(word) + bx, 3)
    let c = sigmoid(i) * tanh(u)
    (sigmoid(o) * tanh(c), c)
  }
  fn node((hl, cl): (f32[h], f32[h]), (hr, cr): (f32[h], f32[h])) -> (f32[h], f32[h]) {
    let (i, fl, fr, o, u) = split(wl @ hl + wr @ hr + bn, 5)
    let c = sigmoid(i) * tanh(u) + sigmoid(fl) * cl + sigmoid(fr) * cr
    (sigmoid(o) * tanh(c), c)
  }
  fn walk(t: Tree) -> { s: (f32[h], f32[h]), loss: f32 } = match t {
    Leaf(label, word) => {
      let s = leaf(id(word))
      { s: s, loss: cross_entropy(out(s.0), label) }
    }
    Node(label, l, r) => {
      let (a, b) = (walk(l), walk(r))
      let s = node(a.s, b.s)
      { s: s, loss: a.loss + b.loss + cross_entropy(out(s.0), label) }
    }
  }
}
let tree = Node(3, Leaf(2, "a"), Node(4, Node(0, Leaf(1, "bb"), Leaf(2, "a")), Leaf(0, "c")))
print(agrees(m => m.walk(tree).loss, TreeLstm(3, 4, 5)))  #: true
print(agrees(m => sum(m.walk(tree).s.0), TreeLstm(3, 4, 5)))  #: true

model CharLstm(v: dim, h: dim) {
  layer embed = nn.Embedding(v, 3)
  layer cell  = nn.LstmCell(3, h)
  layer out   = nn.Dense(h, v)
  fn nll(tokens: [i32]) -> f32 {
    let states = scan s = cell.zero() for t in concat([0], tokens[:-1]) { cell(embed(t), s) }
    mean(for (s, t) in zip(states, tokens) => cross_entropy(out(s.h), t))
  }
}
fn tokens(n: i32) -> [i32] = for i in 0..n => (i * i + 1) % 4
print(agrees(m => m.nll(tokens(7)) + m.nll(tokens(1)), CharLstm(4, 5)))  #: true

fn known(w: str) -> bool = w == "the" or w == "dog"
fn letters(w: str) -> [i32] = if w == "cats" then [2, 0, 1, 3] else if w == "" then [] else [0, 1]
model Tagger {
  layer word  = nn.Embedding(3, 6)
  layer char  = nn.Embedding(4, 2)
  layer cf    = nn.LstmCell(2, 3)
  layer cb    = nn.LstmCell(2, 3)
  layer wf    = nn.LstmCell(6, 4)
  layer wb    = nn.LstmCell(6, 4)
  layer out   = nn.Dense(8, 3)

  fn embed(form: str) -> f32[6] =
    if known(form) then word(id(form))
    else {
      let cs = for c in letters(form) => char(c)
      let f  = loop s = cf.zero() for c in cs { cf(c, s) }
      let b  = loop s = cb.zero() for c in reverse(cs) { cb(c, s) }
      concat(f.h, b.h)
    }
  fn call(sentence: [str]) -> [f32[3]] {
    let xs = for w in sentence => embed(w)
    let f  = scan s = wf.zero() for x in xs { wf(x, s) }
    let b  = reverse(scan s = wb.zero() for x in reverse(xs) { wb(x, s) })
    for (l, r) in zip(f, b) => concat(l.h, r.h) |> tanh |> out
  }
}
fn words(n: i32) -> [str] = for i in 0..n => if i % 3 == 0 then "cats" else if i % 3 == 1 then "the" else "xx"
print(agrees(m => sum(for (y, t) in zip(m(words(5)), tokens(5)) => cross_entropy(y, t % 3)), Tagger()))  #: true
