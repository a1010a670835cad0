type Color = Red | Green | Blue
fn name(c: Color) -> str = match c { Red => "red"; Green => "green"; Blue => "blue" }
print(for c in [Red, Blue] => name(c))                  #: [red, blue]
type Opt = None | Some(value: i32)
fn get(o: Opt, d: i32) -> i32 = match o { Some(v) if v > 0 => v; _ => d }
print(get(Some(3), 1), get(Some(-3), 1), get(None, 7))  #: 3 1 7
type A = End | ToB(b: B)
type B = ToA(a: A, n: i32)
fn la(a: A) -> i32 = match a { End => 0; ToB(b) => lb(b) }
fn lb(b: B) -> i32 = match b { ToA(a, n) => n + la(a) }
print(la(ToB(ToA(ToB(ToA(End, 4)), 3))))                #: 7
let (ToA(z, k)) = ToA(End, 5)
print(k)                                                #: 5
type L = { a: f32, b: f32[3] }
type Vec(n) = f32[n]
fn f(v: Vec(3)) -> f32 = sum(v)
print(f([1.0, 2.0, 3.0]))                               #: 6
let l = L { a: 2, b: [1.0, 1.0, 1.0] }
print(l.b + l.a)                                        #: [3, 3, 3]
