// text > batch > embed > encode > head > optim > [checkpoint]
//
// Reads a tokenizer.json or a vocab.json. A vocabulary has up to a quarter of a million entries, so it does not go into
// the tree. Read json_tree.ipp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "entrain/checkpoint/json_tree.ipp"  // Json, TreeBuilder

namespace entrain::checkpoint::detail {

/// A tree of everything but the vocabulary, which becomes a list: the object "vocab" in the object "model" of a
/// tokenizer.json, or the whole of a vocab.json; with scores, the array "vocab" in the object "model".
class TokenizerBuilder {
 public:
  enum class Vocabulary : std::uint8_t { in_model, with_scores, whole };

  TokenizerBuilder(std::string_view text, std::string_view where, Vocabulary place = Vocabulary::in_model)
      : tree_(text, where), where_(where), place_(place) {}
  Json root() { return std::move(tree_.root); }
  std::vector<std::string> vocabulary;
  std::vector<double> scores;
  bool has_empty_piece = false;

  bool null() { return in_vocabulary_ ? refuse("null") : tree_.null(); }
  bool boolean(bool value) { return in_vocabulary_ ? refuse("a boolean") : tree_.boolean(value); }
  bool number_integer(std::int64_t value) {
    if (expected_ == Expected::score) return score(static_cast<double>(value));
    return in_vocabulary_ ? refuse(std::to_string(value)) : tree_.number_integer(value);
  }
  bool number_unsigned(std::uint64_t value) {
    if (expected_ == Expected::score) return score(static_cast<double>(value));
    if (in_vocabulary_ && with_scores()) return refuse(std::to_string(value));
    return in_vocabulary_ ? piece(value) : tree_.number_unsigned(value);
  }
  bool number_float(double value, const std::string& text) {
    if (expected_ == Expected::score) return score(value);
    return in_vocabulary_ ? refuse(text) : tree_.number_float(value, text);
  }
  bool string(std::string& value) {
    if (expected_ == Expected::piece && !value.empty()) {
      expected_ = Expected::score;
      vocabulary.push_back(std::move(value));
      return true;
    }
    return in_vocabulary_ ? refuse(in_quotes(value)) : tree_.string(value);
  }
  template <class Binary> bool binary(Binary& value) { return tree_.binary(value); }
  bool start_object(std::size_t size) {
    if (in_vocabulary_) return refuse("an object");
    ++depth_;
    in_vocabulary_ = place_ == Vocabulary::whole ? depth_ == 1 : !with_scores() && depth_ == 3 && is_vocab();
    return in_vocabulary_ || tree_.start_object(size);
  }
  bool end_object() {
    --depth_;
    if (in_vocabulary_) return in_vocabulary_ = false, tree_.null();
    key_.clear();  // an array after it in a list has no key
    if (depth_ == 1) in_model_ = false;
    return tree_.end_object();
  }
  bool start_array(std::size_t size) {
    if (expected_ == Expected::entry) {
      if (vocabulary.size() >= most_pieces)
        throw Error("entrain.checkpoint.51", where_, "more pieces in model.vocab than " + std::to_string(most_pieces),
                    "a vocabulary");
      expected_ = Expected::piece;
      return true;
    }
    if (in_vocabulary_) return refuse("an array");
    if (!with_scores() || depth_ != 2 || !is_vocab()) return tree_.start_array(size);
    in_vocabulary_ = true;
    expected_ = Expected::entry;
    return true;
  }
  bool end_array() {
    if (!in_vocabulary_) return tree_.end_array();
    if (expected_ == Expected::end) {
      expected_ = Expected::entry;
      return true;
    }
    if (expected_ != Expected::entry) return refuse("an array that is too short");
    in_vocabulary_ = false;
    expected_ = Expected::nothing;
    return tree_.null();
  }
  bool key(std::string& name) {
    key_ = name;
    if (in_vocabulary_) {
      if (!pieces_.insert(name).second)
        throw Error("entrain.checkpoint.31", where_, "piece " + in_quotes(name) + " occurs twice" + of(" in "), "once");
      return true;
    }
    if (depth_ == 1) in_model_ = name == "model";
    return tree_.key(name);
  }
  bool parse_error(std::size_t byte, const std::string& token, const nlohmann::detail::exception& e) {
    return tree_.parse_error(byte, token, e);
  }

 private:
  static constexpr std::uint64_t most_pieces = 4'000'000;  // so that a wrong id does not allocate all memory
  enum class Expected : std::uint8_t { nothing, entry, piece, score, end };  // in a vocabulary with scores

  std::string of(const char* preposition) const {
    return place_ == Vocabulary::whole ? "" : preposition + std::string("model.vocab");
  }
  bool with_scores() const noexcept { return place_ == Vocabulary::with_scores; }
  bool is_vocab() const noexcept { return in_model_ && key_ == "vocab"; }
  [[noreturn]] bool refuse(const std::string& found) const {
    if (with_scores())
      throw Error(
          "entrain.checkpoint.32", where_,
          "number " +
              std::to_string(vocabulary.size() + (expected_ == Expected::entry || expected_ == Expected::piece)) +
              " of model.vocab has " + found,
          "an array of two: a piece and its score");
    throw Error("entrain.checkpoint.32", where_, "piece " + in_quotes(key_) + of(" of ") + " has " + found,
                "an id, a number from 0");
  }
  bool score(double value) {
    scores.push_back(value);
    expected_ = Expected::end;
    return true;
  }
  bool piece(std::uint64_t id) {
    if (id >= most_pieces)
      throw Error("entrain.checkpoint.51", where_, "piece " + in_quotes(key_) + " has id " + std::to_string(id),
                  "less than " + std::to_string(most_pieces));
    if (vocabulary.size() <= id) vocabulary.resize(static_cast<std::size_t>(id) + 1);
    std::string& place = vocabulary[static_cast<std::size_t>(id)];
    if (!place.empty())
      throw Error("entrain.checkpoint.51", where_,
                  "pieces " + in_quotes(place) + " and " + in_quotes(key_) + " have id " + std::to_string(id),
                  "an id for each");
    place = key_;
    has_empty_piece = has_empty_piece || key_.empty();
    return true;
  }

  TreeBuilder tree_;
  std::string_view where_;
  Vocabulary place_;
  std::string key_;
  std::unordered_set<std::string> pieces_;
  int depth_ = 0;
  Expected expected_ = Expected::nothing;
  bool in_model_ = false, in_vocabulary_ = false;
};

}  // namespace entrain::checkpoint::detail
