// A value at run time: a tensor, a text, or a structure of values. Structures are shared, so that copies are cheap, and
// changed only by who holds the one reference. A list of records may be kept by column (Rows), as a data set is; it reads the same.
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

// One case of a variant type, with its fields.
struct Variant {
  int32_t tag = 0;
  std::vector<Value> elems;
};

// What a forward pass keeps for the backward pass. A place that is missing holds the unit.
struct Tape {
  std::vector<Value> elems;
};

// Something of the host that the language only hands on, such as a vocabulary.
struct HostObject {
  virtual ~HostObject() = default;
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
  Value(std::string s) : v_(std::make_shared<std::string>(std::move(s))) {}
  Value(Tuple t) : v_(std::make_shared<Tuple>(std::move(t))) {}
  Value(List l) : v_(std::make_shared<List>(std::move(l))) {}
  Value(Rows r) : v_(std::make_shared<Rows>(std::move(r))) {}
  Value(Variant v) : v_(std::make_shared<Variant>(std::move(v))) {}
  Value(Tape t) : v_(std::make_shared<Tape>(std::move(t))) {}
  Value(std::shared_ptr<const HostObject> o) : v_(std::move(o)) {}

  Value(const Value&) = default;
  Value(Value&&) noexcept = default;
  Value& operator=(const Value&) = default;
  Value& operator=(Value&&) noexcept = default;
  ~Value();  // of a deep structure too, without recursion

  bool is_tensor() const { return std::holds_alternative<Tensor>(v_); }
  bool is_text() const { return std::holds_alternative<Shared<std::string>>(v_); }
  bool is_tuple() const { return std::holds_alternative<Shared<Tuple>>(v_); }
  bool is_list() const { return std::holds_alternative<Shared<List>>(v_); }
  bool is_rows() const { return std::holds_alternative<Shared<Rows>>(v_); }
  bool is_variant() const { return std::holds_alternative<Shared<Variant>>(v_); }
  bool is_tape() const { return std::holds_alternative<Shared<Tape>>(v_); }
  bool is_object() const { return std::holds_alternative<std::shared_ptr<const HostObject>>(v_); }

  const Tensor& tensor() const { return std::get<Tensor>(v_); }
  const std::string& text() const { return *std::get<Shared<std::string>>(v_); }
  const Tuple& tuple() const { return *std::get<Shared<Tuple>>(v_); }
  const List& list() const { return *std::get<Shared<List>>(v_); }
  const Rows& rows() const { return *std::get<Shared<Rows>>(v_); }
  const Variant& variant() const { return *std::get<Shared<Variant>>(v_); }
  const Tape& tape() const { return *std::get<Shared<Tape>>(v_); }
  const std::shared_ptr<const HostObject>& object() const { return std::get<std::shared_ptr<const HostObject>>(v_); }

  // The elements to change in place, where nobody else holds the structure (a tuple, list, variant or tape); else null.
  std::vector<Value>* own_elems();
  // The elements of such a structure, or null.
  const std::vector<Value>* elems() const;

 private:
  template <class T>
  using Shared = std::shared_ptr<T>;
  std::variant<Tensor, Shared<std::string>, Shared<Tuple>, Shared<List>, Shared<Rows>, Shared<Variant>, Shared<Tape>,
               std::shared_ptr<const HostObject>>
      v_;
};

// Lists in either form.
std::optional<int64_t> list_size(const Value& v);  // nothing: not a list
Value list_item(const Value& v, int64_t i);        // a record of Rows is a tuple in the order of its fields

// The tensors inside, in order: of structures by element, of rows by column.
std::vector<const Tensor*> leaves(const Value& v);

}  // namespace glia::interp
