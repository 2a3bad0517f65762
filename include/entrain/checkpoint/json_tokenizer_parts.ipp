// text > batch > embed > encode > head > optim > [checkpoint]
//
// Parts of tokenizer.json and tokenizer_config.json that all tokenizers share. Read tokenizer_builder.ipp first.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "entrain/checkpoint/added_tokens.hpp"
#include "entrain/checkpoint/json_tree.ipp"  // Json
#include "entrain/text/tokenizer/added_pieces.hpp"

namespace entrain::checkpoint::detail {

[[noreturn]] inline void refuse_normalized(std::string_view where, const std::string& added) {
  throw Error("entrain.checkpoint.50", where, "added token " + in_quotes(added) + " with normalized: true",
              "false: added tokens are matched in the original text");
}

/// In the order of their ids, in which tokenizers adds them.
inline void sort_by_id(std::vector<text::AddedPiece>& added) {
  std::sort(added.begin(), added.end(),
            [](const auto& a, const auto& b) { return a.id != b.id ? a.id < b.id : a.text < b.text; });
}

/// The ids of added tokens, in their order in the file. tokenizers does not read them: a token has its id in the
/// vocabulary, or the next free one.
inline void check_added_ids(const std::vector<std::string>& vocabulary, const std::vector<text::AddedPiece>& added,
                            std::string_view where) {
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw Error("entrain.checkpoint.51", where, "added token " + found, expected);
  };
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t i = 0; i < vocabulary.size(); ++i)
    if (!vocabulary[i].empty()) ids.emplace(vocabulary[i], i);
  const bool gaps = ids.size() < vocabulary.size();  // then the next free id is not the size
  std::unordered_set<std::string_view> texts;
  std::unordered_set<std::size_t> taken;
  std::size_t next = vocabulary.size();
  for (const text::AddedPiece& one : added) {
    const auto id = static_cast<std::size_t>(one.id);
    if (one.text.empty()) refuse("with id " + std::to_string(id) + " has no text", "a text");
    if (!texts.insert(one.text).second) refuse(in_quotes(one.text) + " occurs twice", "once");
    if (const auto own = ids.find(one.text); own != ids.end()) {
      if (own->second != id)
        refuse(in_quotes(one.text) + " has id " + std::to_string(id),
               "its id " + std::to_string(own->second) + " in the vocabulary");
      continue;
    }
    if (id < vocabulary.size() && !vocabulary[id].empty())
      refuse(in_quotes(one.text) + " has the id of " + in_quotes(vocabulary[id]), "an id for each");
    if (!taken.insert(id).second)
      refuse(in_quotes(one.text) + " has id " + std::to_string(id) + " of another one", "an id for each");
    if (id < vocabulary.size()) continue;
    if (!gaps && id != next)
      refuse(in_quotes(one.text) + " has id " + std::to_string(id), "the next free id, " + std::to_string(next));
    next = std::max(next, id + 1);
  }
}

/// The parts of a tokenizer.json, by type.
class TokenizerParts {
 public:
  static constexpr std::uint64_t most_id = 1'000'000'000;  // fits in std::int32_t; tables are smaller still

  /// name      of the tokenizer that is expected, for messages
  TokenizerParts(Json root, std::string_view where, std::string_view name)
      : root_(std::move(root)), where_(where), name_(name) {
    if (!root_.is_object()) wrong_value(where_, "", root_, "an object");
  }

  const Json* find(const Json& object, const char* key) const {
    const Json* const it = object.find(key);
    return it == nullptr || it->is_null() ? nullptr : it;
  }
  const Json& part(const char* key, std::initializer_list<std::string_view> types) const {
    const Json* const value = find(root_, key);
    if (value == nullptr)
      throw Error("entrain.checkpoint.33", where_, "no key " + in_quotes(key), "an object of type " + list(types));
    if (!value->is_object()) wrong_value(where_, key, *value, "an object");
    std::string type = text(*value, std::string(key) + ".", "type", "");
    // Files of older versions of tokenizers do not say the model's type.
    if (type.empty() && std::string_view(key) == "model")
      type = find(*value, "merges") != nullptr ? "BPE" : find(*value, "unk_id") != nullptr ? "Unigram" : "WordPiece";
    if (std::find(types.begin(), types.end(), type) == types.end())
      throw Error("entrain.checkpoint.50", where_, std::string(key) + " of type " + in_quotes(type), list(types),
                  "this tokenizer is not " + std::string(name_));
    return *value;
  }
  /// Null if the part is missing or null.
  const Json* part_if_there(const char* key) const { return find(root_, key); }
  static std::string list(std::initializer_list<std::string_view> types) {
    std::string s;
    for (const auto type : types) s.append(s.empty() ? "" : " or ").append(type);
    return s;
  }
  std::string text(const Json& object, const std::string& prefix, const char* key, const char* otherwise) const {
    const Json* const value = find(object, key);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) wrong_value(where_, prefix + key, *value, "a string");
    return value->text();
  }
  bool flag(const Json& object, const std::string& prefix, const char* key, bool otherwise) const {
    const Json* const value = find(object, key);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean()) wrong_value(where_, prefix + key, *value, "true or false");
    return value->boolean();
  }
  std::int64_t number(const Json& object, const std::string& prefix, const char* key, std::int64_t otherwise) const {
    const Json* const value = find(object, key);
    if (value == nullptr) return otherwise;
    if (!value->is_number_unsigned() || value->number<std::uint64_t>() > most_id)
      wrong_value(where_, prefix + key, *value, "a number from 0 to 1000000000");
    return value->number<std::int64_t>();
  }

  /// added_tokens. normalized: whether they may be searched in the normalized text; if not, those are marked so that do
  /// not say it and are not special
  std::vector<text::AddedPiece> added(const std::vector<std::string>& vocabulary, bool normalized) const {
    std::vector<text::AddedPiece> pieces;
    const Json* const all = find(root_, "added_tokens");
    if (all == nullptr) return pieces;
    if (!all->is_array()) wrong_value(where_, "added_tokens", *all, "an array");
    for (const Json& one : all->items()) {
      const std::string prefix = "added_tokens.";
      if (!one.is_object()) wrong_value(where_, "added_tokens", one, "objects only");
      for (const char* const needed : {"content", "id"})
        if (find(one, needed) == nullptr)
          throw Error("entrain.checkpoint.33", where_, "no key " + in_quotes(prefix + needed),
                      "one in each added token");
      text::AddedPiece piece;
      piece.text = text(one, prefix, "content", "");
      piece.id = static_cast<std::int32_t>(number(one, prefix, "id", 0));
      piece.lstrip = flag(one, prefix, "lstrip", false);
      piece.rstrip = flag(one, prefix, "rstrip", false);
      piece.single_word = flag(one, prefix, "single_word", false);
      const bool stated = find(one, "normalized") != nullptr;
      piece.normalized = flag(one, prefix, "normalized", !normalized && !flag(one, prefix, "special", false));
      if (piece.normalized && stated && !normalized) refuse_normalized(where_, piece.text);
      pieces.push_back(std::move(piece));
    }
    check_added_ids(vocabulary, pieces, where_);
    return pieces;
  }

  /// The pieces around a single text, as [CLS] and [SEP]. processing: the type that names these two, as BertProcessing
  template <class File> void around(File& file, std::string_view processing) const {
    if (find(root_, "post_processor") == nullptr) return;
    const Json& post = part("post_processor", {"TemplateProcessing", processing});
    around(file, post, processing);
  }
  template <class File> void around(File& file, const Json& post, std::string_view processing) const {
    if (text(post, "post_processor.", "type", "") == processing) {
      file.before = {second(file, post, "cls")};
      file.after = {second(file, post, "sep")};
      return;
    }
    check_template(file, post);
    const Json* const single = find(post, "single");
    if (single == nullptr || !single->is_array())
      wrong_value(where_, "post_processor.single", single == nullptr ? Json() : *single, "an array");
    int met = 0;
    for (const Json& step : single->items()) {
      if (!step.is_object()) wrong_value(where_, "post_processor.single", step, "objects only");
      if (const Json* const sequence = find(step, "Sequence"); sequence != nullptr && sequence->is_object()) {
        ++met;
        if (text(*sequence, "post_processor.single.Sequence.", "id", "A") != "A") met = 2;
      } else if (const Json* const special = find(step, "SpecialToken"); special != nullptr && special->is_object()) {
        (met > 0 ? file.after : file.before)
            .push_back(id_of(file.vocabulary, file.options.added, text(*special, "post_processor.single.", "id", "")));
      } else {
        wrong_value(where_, "post_processor.single", step, "Sequence or SpecialToken");
      }
    }
    if (met != 1)
      throw Error("entrain.checkpoint.50", where_, "post_processor.single " + single->dump().substr(0, 200),
                  "one Sequence, with the id A", "this tokenizer is not " + std::string(name_));
  }

 private:
  /// The id of a piece that the processor names, as ["[SEP]", 102].
  template <class File> std::int32_t second(const File& file, const Json& post, const char* key) const {
    const Json* const pair = find(post, key);
    if (pair == nullptr || !pair->is_array() || pair->items().size() != 2 || !pair->items()[1].is_number_unsigned() ||
        pair->items()[1].number<std::uint64_t>() > most_id)
      wrong_value(where_, std::string("post_processor.") + key, pair == nullptr ? Json() : *pair,
                  "a string and its id");
    const auto id = pair->items()[1].number<std::int32_t>();
    if (const Json& piece = pair->items()[0]; piece.is_string())
      check_id(file, piece.text(), id, std::string("post_processor.") + key);
    return id;
  }
  template <class File>
  void check_id(const File& file, const std::string& piece, std::int64_t id, const std::string& key) const {
    if (const std::int32_t own = id_of(file.vocabulary, file.options.added, piece); own != id)
      throw Error("entrain.checkpoint.51", where_, key + " gives " + in_quotes(piece) + " the id " + std::to_string(id),
                  "its id " + std::to_string(own), "restore the file");
  }
  /// The ids that a template gives its pieces: each one, its own.
  template <class File> void check_template(const File& file, const Json& post) const {
    const Json* const pieces = find(post, "special_tokens");
    if (pieces == nullptr || !pieces->is_object()) return;
    for (const auto& [piece, said] : pieces->members()) {
      const Json* const ids = said.find("ids");
      if (ids == nullptr || !ids->is_array()) continue;
      for (const Json& id : ids->items())
        check_id(file, piece, id.is_number_unsigned() && ids->items().size() == 1 ? id.number<std::int64_t>() : -1,
                 "post_processor.special_tokens");
    }
  }
  std::int32_t id_of(const std::vector<std::string>& vocabulary, const std::vector<text::AddedPiece>& added,
                     const std::string& piece) const {
    for (const text::AddedPiece& one : added)
      if (one.text == piece) return one.id;
    for (std::size_t i = 0; i < vocabulary.size(); ++i)
      if (vocabulary[i] == piece) return static_cast<std::int32_t>(i);
    throw Error("entrain.checkpoint.33", where_, "no piece " + in_quotes(piece), "one, as post_processor uses it");
  }

  Json root_;
  std::string_view where_, name_;
};

/// Reads the flags of a token that change how it is found; returns whether any is stated.
inline bool read_flags(const Json& token, const std::string& key, std::string_view where, text::AddedPiece& piece) {
  bool stated = false;
  const auto flag = [&](const char* name) {
    const Json* const it = token.find(name);
    if (it == nullptr || it->is_null()) return false;
    if (!it->is_boolean()) wrong_value(where, key + "." + name, *it, "true or false");
    stated = true;
    return it->boolean();
  };
  piece.lstrip = flag("lstrip"), piece.rstrip = flag("rstrip"), piece.single_word = flag("single_word");
  return stated;
}

/// An entry of added_tokens_decoder. normalized: as in TokenizerParts::added
inline text::AddedPiece added_token(const std::string& id, const Json& token, std::string_view where, bool normalized) {
  const std::string key = "added_tokens_decoder." + id;
  text::AddedPiece piece;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), piece.id);
  if (error != std::errc() || end != id.data() + id.size() || piece.id < 0)
    throw Error("entrain.checkpoint.32", where, "added_tokens_decoder has the key " + in_quotes(id),
                "an id, a number from 0");
  const Json* const content = token.find("content");
  if (content == nullptr || !content->is_string()) wrong_value(where, key, token, "an object with a string, content");
  piece.text = content->text();
  read_flags(token, key, where, piece);
  if (const Json* const it = token.find("normalized"); it != nullptr && !it->is_null()) {
    if (!it->is_boolean()) wrong_value(where, key + ".normalized", *it, "true or false");
    piece.normalized = it->boolean();
    if (piece.normalized && !normalized) refuse_normalized(where, piece.text);
  } else if (const Json* const special = token.find("special"); !normalized) {
    if (special != nullptr && !special->is_null() && !special->is_boolean())
      wrong_value(where, key + ".special", *special, "true or false");
    piece.normalized = special == nullptr || special->is_null() || !special->boolean();
  }
  return piece;
}

/// A boolean under a key; nothing if the key is missing or null.
inline std::optional<bool> stated_flag(const Json& root, const char* key, std::string_view where) {
  const Json* const it = root.find(key);
  if (it == nullptr || it->is_null()) return std::nullopt;
  if (!it->is_boolean()) wrong_value(where, key, *it, "true or false");
  return it->boolean();
}

/// A piece under a key: a text, or the object of an added token.
inline std::optional<std::string> stated_piece(const Json& root, const char* key, std::string_view where) {
  const Json* const it = root.find(key);
  if (it == nullptr || it->is_null()) return std::nullopt;
  const Json* const content = it->is_object() ? it->find("content") : it;
  if (content == nullptr) wrong_value(where, key, *it, "a string");
  if (!content->is_string()) wrong_value(where, key, *content, "a string");
  return content->text();
}

/// A piece under a key, or an item of a list: with its flags if it is an object that states them.
struct StatedPiece {
  text::AddedPiece piece;
  bool has_flags = false;
};
inline StatedPiece stated_token(const Json& value, const std::string& key, std::string_view where) {
  StatedPiece stated;
  const Json* const content = value.is_object() ? value.find("content") : &value;
  if (content == nullptr || !content->is_string())
    wrong_value(where, key, value, "a string, or an object with content");
  stated.piece.text = content->text();
  stated.has_flags = read_flags(value, key, where, stated.piece);
  if (value.is_object()) stated.piece.normalized = stated_flag(value, "normalized", where).value_or(false);
  return stated;
}

/// normalized: whether they may be searched in the normalized text
inline std::vector<text::AddedPiece> added_tokens_decoder(const Json& root, std::string_view where, bool normalized) {
  std::vector<text::AddedPiece> tokens;
  const Json* const it = root.find("added_tokens_decoder");
  if (it == nullptr || it->is_null()) return tokens;
  if (!it->is_object()) wrong_value(where, "added_tokens_decoder", *it, "an object");
  for (const auto& [id, token] : it->members()) tokens.push_back(added_token(id, token, where, normalized));
  return tokens;
}

}  // namespace entrain::checkpoint::detail

namespace entrain::checkpoint {

ENTRAIN_INLINE std::vector<text::AddedPiece> parse_added_tokens(std::string_view text, std::string_view where) {
  const detail::Json root = detail::parse_tree(text, where);
  if (!root.is_object()) detail::wrong_value(where, "", root, "an object");
  std::vector<text::AddedPiece> tokens;
  for (const auto& [token, id] : root.members()) {
    if (!id.is_number_unsigned() || id.number<std::uint64_t>() > detail::TokenizerParts::most_id)
      detail::wrong_value(where, token, id, "an id, a number from 0 to 1000000000");
    tokens.push_back({.text = token, .id = id.number<std::int32_t>()});
  }
  return tokens;
}

}  // namespace entrain::checkpoint
