// Source text as lines of tokens with their comments, between the pieces of the formatter: format_lines.cpp reads them,
// format_space.cpp decides the gaps, format_indent.cpp the indentation, format_align.cpp keeps columns, format.cpp writes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "parser/lexemes.h"

namespace glia::syntax {

struct Cell {
  size_t kind = 0;
  std::string_view text;
  uint32_t from = 0;        // column in the author's line
  bool wide_gap = false;    // the author left two spaces or more before it
  bool fresh = false;       // the first token of a statement, of a list element or of a bracket's content
  uint32_t space = 0;       // spaces before it, without the padding
  uint32_t padding = 0;     // and those that keep a column
  uint32_t width = 0;
};

struct SourceLine {
  std::vector<Cell> cells;
  std::string_view comment;      // with its #, without trailing blanks
  uint32_t comment_from = 0;     // column of it in the author's line
  uint32_t indent = 0;
  bool blank() const { return cells.empty() && comment.empty(); }
  bool only_comment() const { return cells.empty() && !comment.empty(); }
};

using SourceLines = std::vector<SourceLine>;

// Every line of the file, blank ones too.
SourceLines read_lines(const Text& text);

// Sets `space` of every cell.
void set_spaces(SourceLines& lines);

// Sets `indent` of every line that is not blank.
void set_indents(SourceLines& lines);

// Sets `padding`: tokens that the author had put below each other by extra spaces stay so.
void keep_columns(SourceLines& lines);

// Where the comments at the end of lines begin, by line; 0 where there is none.
std::vector<uint32_t> comment_columns(const SourceLines& lines);

uint32_t width_of(const SourceLine& line);  // with its indentation, without the comment

// A word that stands for a name: after a dot, before a colon, or no keyword at all.
bool is_name_here(const SourceLine& line, size_t i);

}  // namespace glia::syntax
