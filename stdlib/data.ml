## Data sets. The readers (data.csv, data.mnist, data.text, …) belong to the language, since their types follow from how
## their arguments are written: see docs/data.md. This file holds what can be written in Glia.

## A data set of two tensors or lists of one length: rows { input, target }. `data.rows([[0, 0], [0, 1]], [0, 1])` has two.
fn rows(inputs, targets) = for (x, y) in zip(inputs, targets) => { input: x, target: y }

test "rows of tensors and of lists" {
  let set = rows([[1.0, 2.0], [3.0, 4.0]], [5, 6])
  assert length(set) == 2
  assert all(set[1].input == [3.0, 4.0]) and set[1].target == 6
}
