// See format.h. The pieces are described in format_lines.h.
#include "parser/format.h"

#include "parser/format_lines.h"
#include "parser/parse.h"
#include "parser/print_ast.h"

namespace glia {

namespace {
using namespace syntax;

inline constexpr DiagKind meaning_changed{"E0149", Severity::error, "this file cannot be formatted without changing what it means"};

void write_line(const SourceLine& line, uint32_t comment_column, std::string& out) {
  out.append(line.indent, ' ');
  for (const Cell& c : line.cells) {
    out.append(c.space + c.padding, ' ');
    out += c.text;
  }
  if (!line.cells.empty() && !line.comment.empty()) out.append(comment_column - width_of(line), ' ');
  out += line.comment;
  out += '\n';
}

// At most one blank line, and none at either end of a block or of the file.
std::string write_lines(const SourceLines& lines) {
  const std::vector<uint32_t> columns = comment_columns(lines);
  std::string out;
  bool blank = false, opened = true;
  for (size_t l = 0; l < lines.size(); ++l) {
    const SourceLine& line = lines[l];
    if (line.blank()) {
      blank = true;
      continue;
    }
    const bool closing = !line.cells.empty() && closes(line.cells.front().kind);
    if (blank && !opened && !closing) out += '\n';
    blank = false;
    opened = !line.cells.empty() && opens(line.cells.back().kind);
    write_line(line, columns[l], out);
  }
  return out;
}

// Everything of a text but its spaces (a byte order mark and the space that does not break are such too).
std::string without_spaces(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\xEF\xBB\xBF")) i += 2;
    else if (text.substr(i).starts_with("\xC2\xA0")) i += 1;
    else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n' && text[i] != '\r') out += text[i];
  }
  return out;
}
}  // namespace

std::optional<std::string> format_source(Sources& sources, FileId file, Diagnostics& diags) {
  const size_t errors = diags.error_count();
  const ast::Tree before = parse(sources, file, diags);
  if (diags.error_count() != errors) return std::nullopt;
  const Text text{sources, file, sources.file(file).text()};
  SourceLines lines = read_lines(text);
  set_spaces(lines);
  set_indents(lines);
  keep_columns(lines);
  set_indents(lines);  // what stands below a token moves with it
  std::string out = write_lines(lines);

  const FileId made = sources.add(sources.file(file).path(), out);
  Diagnostics quiet;
  const ast::Tree after = parse(sources, made, quiet);
  const bool same = !quiet.has_errors() && ast::print(before) == ast::print(after) && before.doc == after.doc &&
                    without_spaces(text.all) == without_spaces(out);
  if (same) return out;
  diags.report(meaning_changed, Span{file, 0, 0}).help("nothing was written; this is a fault of the formatter");
  return std::nullopt;
}

}  // namespace glia
