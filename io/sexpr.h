// S-expressions, as treebanks are written: nested lists of atoms in round brackets. An atom is any text without spaces
// and brackets; there are no quotes and no comments, since they are words of the text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

struct SexprNode {
  uint32_t begin = 0, size = 0;  // bytes of the text
  uint32_t end = 0;              // the node after this one and all inside it
  uint32_t items = 0;            // of a list
  bool list = false;
};

// All nodes, a list before its items: the first item of list i is i + 1, and the one after item k is nodes[k].end.
struct Sexprs {
  std::string path, text;
  std::vector<SexprNode> nodes;
  std::vector<uint32_t> roots;

  std::string_view of(uint32_t node) const { return std::string_view(text).substr(nodes[node].begin, nodes[node].size); }
  std::string where(uint32_t node) const;  // "`data/x.txt`, line 3, column 5"
};

inline constexpr int sexpr_depth = 1000;  // of lists inside lists: deeper ones are refused

// A plain or gzip file of lists, one after another.
Result<Sexprs> read_sexprs(const std::string& path);
Result<Sexprs> parse_sexprs(std::string text, const std::string& path);

}  // namespace glia::io
