// The way in: checks that need no grammar, then the parser, then the builder. The fast parse (SLL, no messages)
// takes the whole file; only where it gives up are the top-level items parsed one by one, so that one fault
// costs one item its tree and one message, and never the rest of the file.
#include "parser/parse.h"

#include <algorithm>

#include "base/text.h"
#include "parser/builder.h"
#include "parser/nesting.h"
#include "parser/newline_filter.h"
#include "parser/syntax_errors.h"

namespace glia {

namespace syntax {

inline constexpr DiagKind not_utf8{"E0101", Severity::error, "the file is not UTF-8 text: byte {} is invalid"};
inline constexpr DiagKind not_text{"E0102", Severity::error, "the file is not text: byte {} is a control character"};
inline constexpr DiagKind too_many{"E0103", Severity::error, "too many syntax errors: the rest of the file was not read"};

namespace {

constexpr size_t most_errors = 20;

// Hands the tokens to the parser. Positions are bytes of the file, so that the builder needs no table.
class TokenList : public antlr4::TokenSource {
 public:
  explicit TokenList(const std::vector<Lexeme>& tokens) : tokens_(tokens) {}

  std::unique_ptr<antlr4::Token> nextToken() override {
    const Lexeme& t = tokens_[std::min(next_++, tokens_.size() - 1)];
    auto token = std::make_unique<antlr4::CommonToken>(std::pair<antlr4::TokenSource*, antlr4::CharStream*>(this, nullptr), t.kind,
                                                       antlr4::Token::DEFAULT_CHANNEL, t.begin, t.end - 1);
    token->setLine(t.line);
    return token;
  }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return {}; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override { return antlr4::CommonTokenFactory::DEFAULT.get(); }

 private:
  const std::vector<Lexeme>& tokens_;
  size_t next_ = 0;
};

// One parse of a list of tokens: the parse tree lives as long as this.
class Parse {
 public:
  explicit Parse(const std::vector<Lexeme>& tokens) : source_(tokens), stream_(&source_), parser_(&stream_) {
    parser_.removeErrorListeners();
  }

  // Null where the fast parse gives up. That may also be for want of context: `explained` decides.
  template <class Rule>
  auto fast(Rule rule) -> decltype(rule(std::declval<GliaParser&>())) {
    mode(antlr4::atn::PredictionMode::SLL, std::make_shared<antlr4::BailErrorStrategy>());
    return attempt(rule);
  }

  // Null where the text is wrong; then `stop` says where.
  template <class Rule>
  auto explained(Rule rule, Stop& stop) -> decltype(rule(std::declval<GliaParser&>())) {
    auto strategy = std::make_shared<StopAtFirst>();
    stream_.seek(0);
    parser_.reset();
    mode(antlr4::atn::PredictionMode::LL, strategy);
    auto* tree = attempt(rule);
    if (!tree) stop = strategy->stop;
    return tree;
  }

 private:
  void mode(antlr4::atn::PredictionMode m, std::shared_ptr<antlr4::ANTLRErrorStrategy> strategy) {
    parser_.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(m);
    parser_.setErrorHandler(strategy);
  }

  template <class Rule>
  auto attempt(Rule rule) -> decltype(rule(std::declval<GliaParser&>())) {
    try {
      return rule(parser_);
    } catch (const antlr4::ParseCancellationException&) {
      return nullptr;
    }
  }

  TokenList source_;
  antlr4::CommonTokenStream stream_;
  GliaParser parser_;
};

const auto whole_file = [](GliaParser& p) { return p.file(); };
const auto one_item = [](GliaParser& p) { return p.piece(); };
const auto one_expression = [](GliaParser& p) { return p.interpolation(); };

bool separates(size_t kind) { return kind == Kind::NEWLINE || kind == Kind::SEMICOLON; }

// Tokens of one top-level item, ended by EOF.
using Piece = std::vector<Lexeme>;

std::vector<Piece> pieces_of(const std::vector<Lexeme>& tokens) {
  std::vector<Piece> pieces;
  Piece piece;
  int depth = 0;
  for (const Lexeme& t : tokens) {
    if (opens(t.kind)) ++depth;
    if (closes(t.kind)) --depth;
    const bool end = t.kind == antlr4::Token::EOF;
    if (!end && !(depth <= 0 && separates(t.kind))) {
      piece.push_back(t);
      continue;
    }
    if (piece.empty()) continue;
    piece.push_back({antlr4::Token::EOF, t.begin, t.begin, t.line});
    pieces.push_back(std::move(piece));
    piece.clear();
  }
  return pieces;
}

// Takes the statement around `at` out of its block, so that the rest of the item can be read. False where the
// fault is not inside braces: the item as a whole is lost.
bool drop_statement(Piece& piece, size_t at) {
  std::vector<size_t> open;  // with the start of the present statement in each brace
  std::vector<size_t> start;
  for (size_t i = 0; i < at; ++i) {
    if (opens(piece[i].kind)) open.push_back(i), start.push_back(i + 1);
    if (closes(piece[i].kind) && !open.empty()) open.pop_back(), start.pop_back();
    if (separates(piece[i].kind) && !open.empty()) start.back() = i + 1;
  }
  while (!open.empty() && !is_brace(piece[open.back()].kind)) open.pop_back(), start.pop_back();
  if (open.empty()) return false;
  size_t end = open.back() + 1;
  for (int depth = 0; end + 1 < piece.size(); ++end) {
    if (depth == 0 && end >= at && (separates(piece[end].kind) || closes(piece[end].kind))) break;
    if (opens(piece[end].kind)) ++depth;
    if (closes(piece[end].kind)) --depth;
  }
  const auto first = piece.begin() + static_cast<std::ptrdiff_t>(start.back());
  const auto last = piece.begin() + static_cast<std::ptrdiff_t>(end);
  if (first >= last) return open.size() > 1 || at > open.back() ? drop_statement(piece, open.back()) : false;
  piece.erase(first, last);
  return true;
}

class FileParser {
 public:
  FileParser(const Text& text, Diagnostics& diags, ast::Tree& tree) : text_(text), diags_(diags), tree_(tree), errors_before_(diags.error_count()) {}

  void run() {
    if (!readable() || !check_string_depth(text_, diags_)) return;
    lexed_ = lex(text_, 0, static_cast<uint32_t>(text_.all.size()));
    if (check_brackets(text_, lexed_.tokens, diags_)) {
      const std::vector<Lexeme> tokens = prepared(lexed_.tokens);
      if (check_depth(text_, tokens, file_limits, diags_) && !parse_whole(tokens)) parse_pieces(tokens);
      return;
    }
    // Where a bracket is lost its fault has been told; the declarations that do not hold it are read as usual.
    for (const std::vector<Lexeme>& part : left_edge_parts(text_, lexed_.tokens)) {
      if (!all_pair(part) || full()) continue;
      const std::vector<Lexeme> tokens = prepared(part);
      if (check_depth(text_, tokens, file_limits, diags_)) parse_pieces(tokens);
    }
  }

 private:
  bool readable() {
    if (const auto bad = first_invalid_utf8(text_.all)) {
      const auto at = static_cast<uint32_t>(*bad);
      diags_.report(not_utf8, Span{text_.file, at, at + 1}, at).help("save the file as UTF-8");
      return false;
    }
    for (size_t i = 0; i < text_.all.size(); ++i) {
      const auto c = static_cast<unsigned char>(text_.all[i]);
      if ((c >= 0x20 && c != 0x7F) || c == '\n' || c == '\r' || c == '\t') continue;
      const auto at = static_cast<uint32_t>(i);
      diags_.report(not_text, Span{text_.file, at, at + 1}, at).help("a program is plain text: is this the right file?");
      return false;
    }
    return true;
  }

  static std::vector<Lexeme> prepared(const std::vector<Lexeme>& tokens) {
    std::vector<Lexeme> out = filter_newlines(tokens);
    retype_brackets(out);
    return out;
  }

  bool parse_whole(const std::vector<Lexeme>& tokens) {
    Parse parse(tokens);
    auto* file = parse.fast(whole_file);
    if (!file) return false;
    Builder(text_, lexed_.docs, diags_, tree_).file(file);
    return true;
  }

  void parse_pieces(const std::vector<Lexeme>& tokens) {
    for (Piece& piece : pieces_of(tokens)) {
      parse_piece(piece);
      if (!full()) continue;
      diags_.report(too_many, text_.span(piece.front()));
      return;
    }
  }

  bool full() const { return diags_.error_count() - errors_before_ >= most_errors; }

  void parse_piece(Piece& piece) {
    while (piece.size() > 1 && !full()) {
      Parse parse(piece);
      Stop stop;
      auto* tree = parse.fast(one_item);
      if (!tree) tree = parse.explained(one_item, stop);
      if (tree) return Builder(text_, lexed_.docs, diags_, tree_).item(tree->item());
      explain(text_, piece, stop, diags_);
      if (!drop_statement(piece, std::min(stop.token, piece.size() - 1))) return;
    }
  }

  const Text& text_;
  Diagnostics& diags_;
  ast::Tree& tree_;
  Lexed lexed_;
  size_t errors_before_;
};

}  // namespace

ast::ExprId parse_interpolation(const Text& text, uint32_t begin, uint32_t end, Diagnostics& diags, ast::Tree& tree) {
  std::vector<Lexeme> tokens = lex(text, begin, end).tokens;
  if (!check_brackets(text, tokens, diags)) return {};
  tokens = filter_newlines(tokens);
  retype_brackets(tokens);
  if (!check_depth(text, tokens, string_limits, diags)) return {};
  tokens.back().end = end + 1;  // the brace that closes it stands for the end in messages
  Parse parse(tokens);
  Stop stop;
  auto* ctx = parse.fast(one_expression);
  if (!ctx) ctx = parse.explained(one_expression, stop);
  if (!ctx) return explain(text, tokens, stop, diags), ast::ExprId();
  static const std::vector<DocComment> none;
  return Builder(text, none, diags, tree).expr(ctx->expr());
}

}  // namespace syntax

ast::Tree parse(const Sources& sources, FileId file, Diagnostics& diags) {
  ast::Tree tree;
  tree.file = file;
  const syntax::Text text{sources, file, sources.file(file).text()};
  syntax::FileParser(text, diags, tree).run();
  return tree;
}

}  // namespace glia
