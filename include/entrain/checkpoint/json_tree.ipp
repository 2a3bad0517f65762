// text > batch > embed > encode > head > optim > [checkpoint]
//
// Parses a JSON text into a tree with the library, and adds the strictness that the library lacks.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "entrain/checkpoint/json_value.ipp"  // Json
#include "entrain/checkpoint/quote.hpp"
#include "entrain/core/error.hpp"  // Error

namespace entrain::checkpoint::detail {

/// The library's reason, without the library's name and without input that could be megabytes long.
inline std::string json_reason(const std::exception& e) {
  std::string_view words = e.what();
  if (const auto at = words.find(", column "); at != words.npos)
    if (const auto colon = words.find(": ", at); colon != words.npos) words.remove_prefix(colon + 2);
  if (const auto at = words.find("] "); at != words.npos && words.starts_with("[json.")) words.remove_prefix(at + 2);
  std::string out(words.substr(0, 160));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  return out;
}

inline std::string what_is(const Json& value) {
  if (value.is_string()) return "the string " + in_quotes(value.text());
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return (value.is_number() ? "the number " : "") + value.dump();
}

/// `key` empty: the whole file.
[[noreturn]] inline void wrong_value(std::string_view where, const std::string& key, const Json& found,
                                     std::string_view expected) {
  throw Error("entrain.checkpoint.32", where, (key.empty() ? "it" : "key " + in_quotes(key)) + " is " + what_is(found),
              expected);
}

inline std::size_t line_of(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

/// Builds the tree from the parser's events. The library calls them by name, so no std::function is needed, and
/// duplicate keys are detected. The limits bound the recursion depth of later steps (dump recurses) and their time (an
/// ordered object searches its keys one by one).
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::string_view where) : text_(text), where_(where) {}
  Json root;

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  template <class Binary> bool binary(Binary&) { return false; }  // JSON has no binary
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    auto& keys = open_.back().keys;
    if (!keys.insert(name).second)
      throw Error("entrain.checkpoint.31", where_, "key " + in_quotes(name) + " occurs twice", "once",
                  "remove the one that is wrong");
    if (keys.size() > most_keys)
      throw Error("entrain.checkpoint.36", where_, "an object of more than " + std::to_string(most_keys) + " keys",
                  "a model's config");
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& e) {
    constexpr int too_large_for_a_double = 406;
    if (e.id == too_large_for_a_double) throw Error("entrain.checkpoint.30", where_, "not JSON: " + json_reason(e));
    throw Error("entrain.checkpoint.30", std::string(where_) + ":" + std::to_string(line_of(text_, byte)),
                "not JSON: " + json_reason(e), {}, "restore the file, or save the model again");
  }

 private:
  static constexpr std::size_t deepest = 64, most_keys = 32'768;
  struct Level {
    Json value;
    std::string key;  // key of the value in its parent
    std::unordered_set<std::string> keys;
  };
  bool put(Json value) {
    if (open_.empty()) {
      root = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.append(std::move(value));
    } else {
      open_.back().value.add(std::move(key_), std::move(value));
    }
    return true;
  }
  bool open(Json value) {
    if (open_.size() > deepest)
      throw Error("entrain.checkpoint.36", where_, "nested deeper than " + std::to_string(deepest), "a model's config");
    open_.push_back({std::move(value), std::move(key_), {}});
    return true;
  }
  bool close() {
    Level done = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(done.key);
    return put(std::move(done.value));
  }

  std::string_view text_, where_;
  std::string key_;
  std::vector<Level> open_;  // every object and list that has not ended
};

/// Parses the whole text into a tree.
inline Json parse_tree(std::string_view text, std::string_view where) {
  if (const auto nul = text.find('\0'); nul != text.npos)  // the library would take it for the end
    throw Error("entrain.checkpoint.30", std::string(where) + ":" + std::to_string(line_of(text, nul)), "a NUL byte",
                "JSON", "this is not a text file");
  TreeBuilder builder(text, where);
  nlohmann::json::sax_parse(text, &builder);
  return std::move(builder.root);
}

}  // namespace entrain::checkpoint::detail
