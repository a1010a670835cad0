// A value at run time: a tensor, a text, or a structure of values. Structures are shared and never changed, so that
// copies are cheap. A list of records may be kept by column (Rows), as a data set is; it reads the same.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "interp/tensor.h"

namespace glia::interp {

class Value;

struct Tuple {
  std::vector<Value> elems;
};

struct List {
  std::vector<Value> elems;
};

// A column is a Tensor whose leading size is `count`, or a List of that length. Without field names there is one column
// and an item is its element itself: a list of equal tensors, kept as one tensor.
struct Rows {
  int64_t count = 0;
  std::vector<std::string> fields;
  std::vector<Value> columns;
};

class Value {
 public:
  Value() : Value(Tuple{}) {}  // unit
  Value(Tensor t) : v_(std::move(t)) {}
  Value(std::string s) : v_(std::make_shared<const std::string>(std::move(s))) {}
  Value(Tuple t) : v_(std::make_shared<const Tuple>(std::move(t))) {}
  Value(List l) : v_(std::make_shared<const List>(std::move(l))) {}
  Value(Rows r) : v_(std::make_shared<const Rows>(std::move(r))) {}

  bool is_tensor() const { return std::holds_alternative<Tensor>(v_); }
  bool is_text() const { return std::holds_alternative<Shared<std::string>>(v_); }
  bool is_tuple() const { return std::holds_alternative<Shared<Tuple>>(v_); }
  bool is_list() const { return std::holds_alternative<Shared<List>>(v_); }
  bool is_rows() const { return std::holds_alternative<Shared<Rows>>(v_); }

  const Tensor& tensor() const { return std::get<Tensor>(v_); }
  const std::string& text() const { return *std::get<Shared<std::string>>(v_); }
  const Tuple& tuple() const { return *std::get<Shared<Tuple>>(v_); }
  const List& list() const { return *std::get<Shared<List>>(v_); }
  const Rows& rows() const { return *std::get<Shared<Rows>>(v_); }

 private:
  template <class T>
  using Shared = std::shared_ptr<const T>;
  std::variant<Tensor, Shared<std::string>, Shared<Tuple>, Shared<List>, Shared<Rows>> v_;
};

// Lists in either form.
std::optional<int64_t> list_size(const Value& v);  // nothing: not a list
Value list_item(const Value& v, int64_t i);        // a record of Rows is a tuple in the order of its fields

// The tensors inside, in order: of tuples and lists by element, of rows by column.
std::vector<const Tensor*> leaves(const Value& v);

}  // namespace glia::interp
