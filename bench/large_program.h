// A program of a given length with everything in it that a person writes: functions over sizes, variants and matches,
// records, models with layers, loops and top-level values. For measuring what a check costs.
#pragma once
#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace glia {

// One block of 33 lines; it uses the block before.
inline std::string large_block(size_t k) {
  const std::string before = k > 0 ? fmt::format(" + mix{}(w, x, x)", k - 1) : "";
  return fmt::format(R"(## Block {0}.
fn mix{0}(a: f32[n, m], x: f32[m], b: f32[n]) -> f32[n] {{
  let h = a @ x + b
  let g = relu(h) * 0.5
  let s = sum(g) / {1}.0
  where(g > s, g, h)
}}

fn size{0}(s: Shape) -> f32 = match s {{
  Circle(r) => 3.14 * r ^ 2
  Square(a) => a * a
  Pair(l, r) => size{0}(l) + size{0}(r)
}}

fn move{0}(p: Point, t: f32) -> Point {{
  let q = Point {{ x: p.x + t, y: p.y }}
  if t > {0}.0 then q else Point {{ x: q.x, y: q.y - t }}
}}

model Net{0}(n: dim) {{
  param w: f32[n, n] ~ glorot()
  layer d = nn.Dense(n, {1})
  fn call(x: f32[n]) -> f32[{1}] {{
    let y = tanh(w @ x){2}
    y |> d |> relu
  }}
}}

let v{0} = for i < 4 => f32(i) * {0}.5
let p{0} = move{0}(Point {{ x: 1.0, y: v{0}[2] }}, 0.5)
let t{0} = loop s = 0.0 for z in v{0} {{ s + z * p{0}.x }}
let n{0} = size{0}(Pair(Circle(1.0), Square(t{0})))

)",
                     k, k % 7 + 2, before);
}

// The shortest such program of at least `lines` lines.
inline std::string large_program(size_t lines) {
  std::string text = "import nn\n\ntype Shape = Circle(r: f32) | Square(a: f32) | Pair(Shape, Shape)\ntype Point = { x: f32, y: f32 }\n\n";
  for (size_t k = 0; static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) < lines; ++k) text += large_block(k);
  return text;
}

}  // namespace glia
