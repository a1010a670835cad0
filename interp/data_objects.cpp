// Vocabularies and tokenisers as functions of the host.
#include <algorithm>

#include <fmt/format.h>

#include "interp/data_call.h"
#include "interp/vocabulary.h"

namespace glia::interp {
namespace {

const Vocabulary& vocabulary_of(const DataCall& call) { return dynamic_cast<const Vocabulary&>(*call.args[0].object()); }
const Tokenizer& tokenizer_of(const DataCall& call) { return dynamic_cast<const Tokenizer&>(*call.args[0].object()); }
Value integer(size_t n) { return Tensor::scalar(static_cast<int32_t>(n)); }

Value list_of_numbers(const std::vector<int32_t>& numbers) {
  const auto count = static_cast<int64_t>(numbers.size());
  return Rows{count, {}, {Tensor::of<int32_t>({count}, numbers)}};
}

std::vector<int64_t> numbers_of(const Value& v) {
  std::vector<int64_t> out;
  if (v.is_tensor()) {
    for (int64_t i = 0; i < v.tensor().size(); ++i) out.push_back(element_int(v.tensor(), i));
    return out;
  }
  for (int64_t i = 0, n = list_size(v).value_or(0); i < n; ++i) out.push_back(element_int(list_item(v, i).tensor(), 0));
  return out;
}

// Calls `each` with every text inside, in order.
template <class F>
void each_text(const Value& whole, F each) {
  std::vector<Value> open = {whole};
  while (!open.empty()) {
    const Value v = std::move(open.back());
    open.pop_back();
    if (v.is_text()) each(v.text());
    const std::vector<Value>* inside = v.is_rows() ? &v.rows().columns : v.elems();
    if (inside) open.insert(open.end(), inside->rbegin(), inside->rend());
  }
}

// Tokens and how often each stands there, in the order in which they come.
struct Counts {
  std::vector<std::pair<std::string, int64_t>> of;
  std::unordered_map<std::string, size_t> place;

  void add(const std::string& token) {
    const auto [it, fresh] = place.try_emplace(token, of.size());
    if (fresh) of.push_back({token, 0});
    ++of[it->second].second;
  }
};

Counts count_tokens(const Value& texts, bool characters) {
  Counts counts;
  const bool running = texts.is_text();  // else each text is a word
  each_text(texts, [&](const std::string& text) {
    if (!characters && !running) return counts.add(text);
    for (const std::string& token : characters ? characters_of(text) : words_of(text)) counts.add(token);
  });
  return counts;
}

void add_token(Vocabulary& v, const std::string& token) {
  if (v.ids.try_emplace(token, static_cast<int32_t>(v.tokens.size())).second) v.tokens.push_back(token);
}

std::string not_there(const Vocabulary& v, const std::string& token) {
  return fmt::format("the vocabulary has no {} \"{}\"", v.characters ? "character" : "word", token);
}
constexpr std::string_view unknown_help = "ask with `.has(…)` first, or give the others a place: `data.vocab(…, unknown = \"<unk>\")`";
}  // namespace

// Characters are in the order of their code points, words from the most frequent on, equally frequent ones as they come.
DataResult make_vocabulary(const DataCall& call) {
  auto v = std::make_shared<Vocabulary>();
  v->characters = option(call, "level", "word") == "char";
  const auto least = option_int(call, "min_count", 1);
  if (!least) return std::unexpected(least.error());
  Counts counts = count_tokens(call.args[0], v->characters);
  if (v->characters) std::sort(counts.of.begin(), counts.of.end());
  else std::stable_sort(counts.of.begin(), counts.of.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const auto special = [&](const char* key) {
    const auto given = option_values(call, key);
    if (given.empty()) return std::optional<int32_t>();
    add_token(*v, given[0]);
    return std::optional(v->ids.at(given[0]));
  };
  v->end = special("end");
  v->unknown = special("unknown");
  for (const auto& [token, count] : counts.of)
    if (count >= *least) add_token(*v, token);
  if (v->tokens.empty()) return data_fault("there is no text to make a vocabulary of");
  return Value(std::shared_ptr<const HostObject>(std::move(v)));
}

DataResult vocabulary_size(const DataCall& call) { return integer(vocabulary_of(call).tokens.size()); }

DataResult vocabulary_end(const DataCall& call) {
  const Vocabulary& v = vocabulary_of(call);
  if (!v.end) return data_fault("the vocabulary has no end", "give it one: `data.vocab(…, end = \"\\n\")`");
  return integer(static_cast<size_t>(*v.end));
}

DataResult vocabulary_has(const DataCall& call) { return Value(Tensor::scalar(vocabulary_of(call).ids.contains(call.args[1].text()))); }

DataResult vocabulary_id(const DataCall& call) {
  const auto id = vocabulary_of(call).id(call.args[1].text());
  if (!id) return data_fault(not_there(vocabulary_of(call), call.args[1].text()), std::string(unknown_help));
  return Value(Tensor::scalar(*id));
}

// Without a token for the unknown, what the vocabulary does not have is left out.
DataResult vocabulary_encode(const DataCall& call) {
  const Vocabulary& v = vocabulary_of(call);
  std::vector<int32_t> ids;
  for (const std::string& token : v.characters ? characters_of(call.args[1].text()) : words_of(call.args[1].text())) {
    if (const auto id = v.id(token)) ids.push_back(*id);
  }
  return list_of_numbers(ids);
}

DataResult vocabulary_decode(const DataCall& call) {
  const Vocabulary& v = vocabulary_of(call);
  std::string text;
  for (int64_t id : numbers_of(call.args[1])) {
    if (id < 0 || id >= static_cast<int64_t>(v.tokens.size()))
      return data_fault(fmt::format("there is no token {}: the vocabulary has {}", id, v.tokens.size()));
    if (!v.characters && !text.empty()) text += ' ';
    text += v.tokens[static_cast<size_t>(id)];
  }
  return Value(std::move(text));
}

DataResult read_tokenizer(const DataCall& call) {
  auto table = io::read_token_pieces(call.args[0].text());
  if (!table) return data_fault(table.error());
  auto t = std::make_shared<Tokenizer>();
  t->table = std::move(*table);
  for (size_t i = 0; i < t->table.pieces.size(); ++i) t->ids.try_emplace(t->table.pieces[i], static_cast<int32_t>(i));
  return Value(std::shared_ptr<const HostObject>(std::move(t)));
}

DataResult tokenizer_size(const DataCall& call) { return integer(tokenizer_of(call).table.pieces.size()); }

DataResult tokenizer_encode(const DataCall& call) {
  const Tokenizer& t = tokenizer_of(call);
  const bool bos = call.args.size() > 2 && element_int(call.args[2].tensor(), 0) != 0;
  // a character that is no piece becomes bytes, which the table must have
  auto tokens = t.encode(call.args[1].text(), bos);
  for (int32_t id : tokens)
    if (id >= static_cast<int32_t>(t.table.pieces.size())) return data_fault("the tokeniser has no pieces for single bytes");
  return list_of_numbers(tokens);
}

DataResult tokenizer_piece(const DataCall& call) {
  const Tokenizer& t = tokenizer_of(call);
  const int64_t before = element_int(call.args[1].tensor(), 0), token = element_int(call.args[2].tensor(), 0);
  if (token < 0 || token >= static_cast<int64_t>(t.table.pieces.size()))
    return data_fault(fmt::format("there is no token {}: the tokeniser has {}", token, t.table.pieces.size()));
  return Value(t.piece(static_cast<int32_t>(before), static_cast<int32_t>(token)));
}

}  // namespace glia::interp
