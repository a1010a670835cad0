// Readers of text as functions of the host: whole texts, lines, trees, tagged sentences, windows of tokens.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/text.h"
#include "interp/data_call.h"
#include "io/folder.h"
#include "io/sexpr.h"
#include "io/tagged.h"
#include "io/text.h"

namespace glia::interp {
namespace {

using Prefixes = std::vector<std::string_view>;

// One value per set: train, dev, test. A folder without a dev or test set gives an empty one.
template <class Read>
DataResult read_sets(const std::string& dir, Read read) {
  const std::vector<Prefixes> sets = {{"train"}, {"dev", "valid", "validation"}, {"test"}};
  Tuple out;
  for (const Prefixes& prefixes : sets) {
    const auto files = io::find_set(dir, prefixes);
    if (!files && out.elems.empty()) return data_fault(files.error());
    List all;
    for (const std::string& file : files ? *files : std::vector<std::string>()) {
      auto items = read(file);
      if (!items) return std::unexpected(items.error());
      all.elems.insert(all.elems.end(), std::make_move_iterator(items->elems.begin()), std::make_move_iterator(items->elems.end()));
    }
    out.elems.emplace_back(std::move(all));
  }
  return out;
}

// Trees as values of a variant type: the items of a list are the fields of the case that they fit.
class TreeReader {
 public:
  TreeReader(const io::Sexprs& text, const ir::Module& module) : text_(text), module_(module) {}

  DataResult value(uint32_t node, ir::TypeId type) const {
    const ir::Type& t = module_.types[type];
    if (t.kind == ir::TypeKind::variant) return of_variant(node, t);
    if (text_.nodes[node].list) return wrong(node, "a list", module_.types.print(type));
    if (t.kind == ir::TypeKind::str) return Value(std::string(text_.of(node)));
    return number(node, type);
  }

 private:
  std::unexpected<Fault> wrong(uint32_t node, const std::string& found, const std::string& wanted) const {
    return data_fault(fmt::format("{}: found {}, expected `{}`", text_.where(node), found, wanted));
  }

  template <class T>
  std::optional<T> parsed(uint32_t node) const {
    const std::string_view s = text_.of(node);
    T x{};
    const auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), x);
    return code == std::errc() && end == s.data() + s.size() ? std::optional(x) : std::nullopt;
  }

  DataResult number(uint32_t node, ir::TypeId type) const {
    const DType dtype = module_.types.dtype(type);
    if (dtype == DType::i32) {
      if (const auto x = parsed<int32_t>(node)) return Value(Tensor::scalar(*x));
    } else if (const auto x = parsed<float>(node)) {
      return Value(Tensor::scalar(*x));
    }
    return wrong(node, fmt::format("`{}`", text_.of(node)), module_.types.print(type));
  }

  // Whether the item may be a value of the type, as far as its form says.
  bool may_be(uint32_t node, ir::TypeId type) const {
    const ir::Type& t = module_.types[type];
    return text_.nodes[node].list == (t.kind == ir::TypeKind::variant);
  }

  bool fits(uint32_t node, const ir::VariantCase& c) const {
    if (!text_.nodes[node].list || text_.nodes[node].items != c.types.size()) return false;
    uint32_t item = node + 1;
    for (const ir::TypeId type : c.types) {
      if (!may_be(item, type)) return false;
      item = text_.nodes[item].end;
    }
    return true;
  }

  std::unexpected<Fault> no_case(uint32_t node, const ir::Type& type) const {
    std::vector<std::string> cases;
    for (const ir::VariantCase& c : module_.variants.at(type.name)) cases.push_back(fmt::format("`{}` with {} fields", c.name, c.fields.size()));
    const io::SexprNode& n = text_.nodes[node];
    return data_fault(fmt::format("{}: {} is no case of `{}`, which has {}", text_.where(node),
                                  n.list ? fmt::format("a list of {} items", n.items) : fmt::format("`{}`", text_.of(node)), type.name,
                                  join_words(cases, "and")));
  }

  DataResult of_variant(uint32_t node, const ir::Type& type) const {
    const auto& cases = module_.variants.at(type.name);
    const auto c = std::find_if(cases.begin(), cases.end(), [&](const auto& one) { return fits(node, one); });
    if (c == cases.end()) return no_case(node, type);
    Variant made{static_cast<int32_t>(c - cases.begin()), {}};
    uint32_t item = node + 1;
    for (const ir::TypeId field : c->types) {
      auto v = value(item, field);
      if (!v) return v;
      made.elems.push_back(std::move(*v));
      item = text_.nodes[item].end;
    }
    return made;
  }

  const io::Sexprs& text_;
  const ir::Module& module_;
};

Value list_of_texts(std::vector<std::string> texts) {
  List out;
  for (std::string& s : texts) out.elems.emplace_back(std::move(s));
  return out;
}

}  // namespace

DataResult read_text_file(const DataCall& call) {
  auto text = io::read_text(call.args[0].text());
  if (!text) return data_fault(text.error());
  return Value(std::move(*text));
}

DataResult read_line_list(const DataCall& call) {
  const auto text = io::read_text(call.args[0].text());
  if (!text) return data_fault(text.error());
  List lines;
  for (std::string_view line : io::split_lines(*text)) lines.elems.emplace_back(std::string(line));
  return lines;
}

DataResult read_trees(const DataCall& call) {
  const ir::TypeId tree = call.module.types[call.module.types[call.result].elems[0]].elems[0];
  return read_sets(call.args[0].text(), [&](const std::string& file) -> std::expected<List, Fault> {
    const auto text = io::read_sexprs(file);
    if (!text) return data_fault(text.error());
    List trees;
    for (uint32_t root : text->roots) {
      auto v = TreeReader(*text, call.module).value(root, tree);
      if (!v) return std::unexpected(v.error());
      trees.elems.push_back(std::move(*v));
    }
    return trees;
  });
}

DataResult read_tagged_sentences(const DataCall& call) {
  const std::string separator = option(call, "separator", "|");
  return read_sets(call.args[0].text(), [&](const std::string& file) -> std::expected<List, Fault> {
    auto sentences = io::read_tagged(file, separator[0]);
    if (!sentences) return data_fault(sentences.error());
    List out;
    for (io::TaggedSentence& s : *sentences) out.elems.emplace_back(Tuple{{list_of_texts(std::move(s.forms)), list_of_texts(std::move(s.tags))}});
    return out;
  });
}

// The first part gives every window of its tokens, so that a shuffled pass is one of random crops; the others are tiled.
DataResult window_rows(const DataCall& call) {
  const Value& list = call.args[0];
  const Value& column = list.is_rows() ? list.rows().columns[0] : list;
  const int64_t length = element_int(call.args[1].tensor(), 0);
  std::vector<int32_t> tokens;
  if (column.is_tensor()) tokens.assign(column.tensor().as<int32_t>().begin(), column.tensor().as<int32_t>().end());
  else for (int64_t i = 0, n = list_size(list).value_or(0); i < n; ++i) tokens.push_back(static_cast<int32_t>(element_int(list_item(list, i).tensor(), 0)));
  if (length < 1) return data_fault(fmt::format("a window has at least 1 token, not {}", length));
  const auto count = static_cast<int64_t>(tokens.size());
  Tuple out;
  double sum = 0;
  int64_t begin = 0;
  for (const std::string& part : option_values(call, "part")) {
    const auto fields = option_parts(part);
    sum += std::stod(fields[1]);
    const int64_t end = std::min(count, static_cast<int64_t>(std::floor(static_cast<double>(count) * sum + 0.5)));
    const int64_t stride = out.elems.empty() ? 1 : length;
    const int64_t rows = end - begin < length ? 0 : (end - begin - length) / stride + 1;
    if (rows == 0) return data_fault(fmt::format("the part `{}` has {} of the {} tokens: less than one window of {}", fields[0], end - begin, count, length));
    auto t = Tensor::allocate(DType::i32, {rows, length});
    if (!t) return data_fault(t.error());
    for (int64_t i = 0; i < rows; ++i)
      std::memcpy(t->as<int32_t>().data() + i * length, tokens.data() + begin + i * stride, static_cast<size_t>(length) * sizeof(int32_t));
    out.elems.emplace_back(Rows{rows, {}, {std::move(*t)}});
    begin = end;
  }
  return out;
}

}  // namespace glia::interp
