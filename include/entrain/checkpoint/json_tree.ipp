// text > batch > embed > encode > head > optim > [checkpoint]
//
// A JSON text as a tree: the library's, with the strictness that it lacks.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "entrain/checkpoint/quote.hpp"
#include "entrain/core/error.hpp"  // Error

namespace entrain::checkpoint::detail {

using Json = nlohmann::ordered_json;

/// The library's reason, without its name for it and without what could be megabytes of input.
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
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::string:
      return "the text " + in_quotes(value.get_ref<const std::string&>());
    case Json::value_t::array:
      return "a list";
    case Json::value_t::object:
      return "an object";
    default:
      return "the number " + value.dump();
  }
}

[[noreturn]] inline void wrong_value(std::string_view where, const std::string& key, const Json& found,
                                     std::string_view expected) {
  throw Error("entrain.checkpoint.32", where, "key " + in_quotes(key) + " holds " + what_is(found), expected);
}

inline std::size_t line_of(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

/// A tree of the whole text. The limits keep what follows from running deep (dump recurses) or long (an ordered object
/// finds its keys one by one).
inline Json parse_tree(std::string_view text, std::string_view where) {
  constexpr int deepest = 64;
  constexpr std::size_t most_keys = 32'768;
  if (const auto nul = text.find('\0'); nul != text.npos)  // the library would take it for the end
    throw Error("entrain.checkpoint.30", std::string(where) + ":" + std::to_string(line_of(text, nul)), "a NUL byte",
                "JSON", "this is not a text file");
  std::vector<std::unordered_set<std::string>> open;  // the keys of every object that is still open
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > deepest)
      throw Error("entrain.checkpoint.36", where, "nested deeper than " + std::to_string(deepest), "a model's config");
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!open.back().insert(key).second)
        throw Error("entrain.checkpoint.31", where, "key " + in_quotes(key) + " stands twice", "once",
                    "remove the one that is wrong");
      if (open.back().size() > most_keys)
        throw Error("entrain.checkpoint.36", where, "an object of more than " + std::to_string(most_keys) + " keys",
                    "a model's config");
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const nlohmann::json::parse_error& e) {
    throw Error("entrain.checkpoint.30", std::string(where) + ":" + std::to_string(line_of(text, e.byte)),
                "not JSON: " + json_reason(e), {}, "restore the file, or save the model again");
  } catch (const nlohmann::json::exception& e) {  // a number too large for a double
    throw Error("entrain.checkpoint.30", where, "not JSON: " + json_reason(e));
  }
}

}  // namespace entrain::checkpoint::detail
