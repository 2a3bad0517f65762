// text > batch > embed > encode > head > optim > [checkpoint]
//
// config.json: parsed into a tree, then read key by key; all other keys are kept unchanged.
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>

#include "entrain/checkpoint/json.hpp"
#include "entrain/checkpoint/json_tree.ipp"  // Json, parse_tree

namespace entrain::checkpoint {

namespace detail {

/// An object of the tree. take() moves a value out; keys that were never taken are unknown.
class Taker {
 public:
  Taker(Json& object, std::string prefix, std::string_view where)
      : object_(object), prefix_(std::move(prefix)), where_(where) {}

  std::optional<Json> take(const char* key) { return object_.take(key); }
  Json need(const char* key, std::string_view expected) {
    if (auto value = take(key)) return std::move(*value);
    throw Error("entrain.checkpoint.33", where_, "no key " + in_quotes(prefix_ + key), expected,
                "save the model again, or add the key");
  }
  std::string text(const char* key) {
    Json value = need(key, "a string");
    if (!value.is_string()) wrong_value(where_, prefix_ + key, value, "a string");
    return value.text();
  }
  std::vector<std::string> texts(const char* key) {
    Json list = need(key, "an array of strings");
    if (!list.is_array()) wrong_value(where_, prefix_ + key, list, "an array of strings");
    std::vector<std::string> out;
    for (const Json& item : list.items()) {
      if (!item.is_string()) wrong_value(where_, prefix_ + key, item, "strings only");
      out.push_back(item.text());
    }
    return out;
  }
  std::vector<NamedText> named_texts(const char* key) {
    Json object = need(key, "an object of strings");
    if (!object.is_object()) wrong_value(where_, prefix_ + key, object, "an object of strings");
    std::vector<NamedText> out;
    for (const auto& [name, value] : object.members()) {
      if (!value.is_string()) wrong_value(where_, prefix_ + key + "." + name, value, "a string");
      out.push_back({name, value.text()});
    }
    return out;
  }
  std::vector<NamedNumber> named_numbers(const char* key) {
    Json object = need(key, "an object of numbers");
    if (!object.is_object()) wrong_value(where_, prefix_ + key, object, "an object of numbers");
    std::vector<NamedNumber> out;
    for (const auto& [name, value] : object.members()) out.push_back({name, number(prefix_ + key + "." + name, value)});
    return out;
  }
  Number number(const std::string& key, const Json& value) const {
    if (value.is_number_float()) return value.number<double>();
    if (!value.is_number()) wrong_value(where_, key, value, "a number");
    if (value.is_number_unsigned() && value.number<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
      wrong_value(where_, key, value, "at most 9223372036854775807");
    return value.number<std::int64_t>();
  }
  std::vector<NamedText> rest() const {
    std::vector<NamedText> out;
    for (const auto& [name, value] : object_.members()) out.push_back({name, value.dump()});
    return out;
  }

 private:
  Json& object_;
  std::string prefix_;
  std::string_view where_;
};

/// id2label: {"0": "O", "1": "B-PER", ...} in any order; ids must be 0 ... n-1 and labels different.
inline std::vector<std::string> labels_by_id(const Json& id2label, std::string_view where) {
  if (!id2label.is_object()) wrong_value(where, "id2label", id2label, "an object {\"0\": label, ...}");
  const auto refuse = [&](const std::string& found) {
    throw Error("entrain.checkpoint.34", where, "id2label: " + found,
                "the ids 0 to " + std::to_string(id2label.members().size() - 1) + ", each with a different label");
  };
  std::vector<std::string> labels(id2label.members().size());
  std::unordered_set<std::string> ids, names;
  for (const auto& [id, label] : id2label.members()) {
    if (!label.is_string()) wrong_value(where, "id2label." + id, label, "a label");
    // Six digits exceed the limit on keys; only the shortest spelling is accepted, so that "01" is not a second "1".
    const bool digits = !id.empty() && id.size() <= 6 && id.find_first_not_of("0123456789") == id.npos;
    const std::size_t at = digits ? std::stoul(id) : labels.size();
    if (at >= labels.size() || id != std::to_string(at)) refuse("id " + in_quotes(id));
    labels[at] = label.text();
    if (!names.insert(labels[at]).second) refuse("label " + in_quotes(labels[at]) + " has two ids");
  }
  return labels;
}

inline void check_label2id(const Json& label2id, const std::vector<std::string>& labels, std::string_view where) {
  if (!label2id.is_object()) wrong_value(where, "label2id", label2id, "an object {label: 0, ...}");
  const auto refuse = [&](const std::string& found) {
    throw Error("entrain.checkpoint.34", where, "label2id: " + found, "the inverse of id2label",
                "remove label2id: id2label is sufficient");
  };
  if (label2id.members().size() != labels.size())
    refuse(std::to_string(label2id.members().size()) +
           (label2id.members().size() == 1 ? " label, but " : " labels, but ") + std::to_string(labels.size()) +
           " of id2label");
  for (const auto& [label, id] : label2id.members()) {
    if (!id.is_number_unsigned()) wrong_value(where, "label2id." + label, id, "an id");
    const auto at = id.number<std::uint64_t>();
    if (at >= labels.size() || labels[at] != label)
      refuse("label " + in_quotes(label) + " has id " + std::to_string(at));
  }
}

}  // namespace detail

ENTRAIN_INLINE Config parse_config(std::string_view text, std::string_view where) {
  using detail::Json;
  Json tree = detail::parse_tree(text, where);
  if (!tree.is_object())
    throw Error("entrain.checkpoint.32", where, "the file is " + detail::what_is(tree), "an object");
  Config config;
  detail::Taker top(tree, "", where);
  if (const auto ids = top.take("id2label")) config.labels = detail::labels_by_id(*ids, where);
  if (const auto back = top.take("label2id")) detail::check_label2id(*back, config.labels, where);

  auto ours = top.take("entrain");
  config.others = top.rest();
  if (!ours) {
    config.format_version = 0;
    return config;
  }
  if (!ours->is_object()) detail::wrong_value(where, "entrain", *ours, "an object");
  detail::Taker own(*ours, "entrain.", where);
  const Json version = own.need("format_version", "a number");
  if (!version.is_number_unsigned() || version.number<std::uint64_t>() < 1)
    detail::wrong_value(where, "entrain.format_version", version, "1 or more");
  if (version.number<std::uint64_t>() > static_cast<std::uint64_t>(Config::newest))
    throw Error("entrain.checkpoint.35", where, "format_version " + version.dump(),
                "at most " + std::to_string(Config::newest), "read it with a newer entrain");
  config.format_version = version.number<std::int64_t>();
  config.composition = own.text("composition");
  config.entity_types = own.texts("entity_types");
  config.scheme = own.text("scheme");
  config.splitter = own.text("splitter");
  config.sentence_splitter = own.text("sentence_splitter");
  config.numbers = own.named_numbers("numbers");
  config.strings = own.named_texts("strings");
  for (auto& [name, sum] : own.named_texts("files")) {
    if (sum.size() != 64 || sum.find_first_not_of("0123456789abcdef") != sum.npos)
      detail::wrong_value(where, "entrain.files." + name, Json(sum), "the 64 digits of sha256sum");
    if (name.empty() || name == "config.json" || name.find('/') != name.npos)  // a save renames listed files
      throw Error("entrain.checkpoint.32", where, "entrain.files lists " + detail::in_quotes(name),
                  "names of files in this folder");
    config.files.push_back({std::move(name), std::move(sum)});
  }
  config.own_others = own.rest();
  return config;
}

ENTRAIN_INLINE std::string dump_config(const Config& config, std::string_view where) {
  using detail::Json;
  const auto refuse = [&](const std::string& found, std::string_view expected) {
    throw Error("entrain.checkpoint.37", where, found, expected);
  };
  const auto put = [&](Json& object, const std::string& key, Json value) -> Json& {
    if (object.find(key) != nullptr) refuse("key " + detail::in_quotes(key) + " occurs twice", "once");
    return object.add(key, std::move(value));
  };
  Json top = Json::object(), own = Json::object(), ids = Json::object(), back = Json::object();
  for (std::size_t i = 0; i < config.labels.size(); ++i) {
    put(ids, std::to_string(i), config.labels[i]);
    put(back, config.labels[i], std::uint64_t{i});
  }
  if (!config.labels.empty()) top.add("id2label", std::move(ids)), top.add("label2id", std::move(back));
  own.add("format_version", Config::newest);
  own.add("composition", config.composition);
  own.add("entity_types", config.entity_types);
  own.add("scheme", config.scheme);
  own.add("splitter", config.splitter);
  own.add("sentence_splitter", config.sentence_splitter);
  Json& numbers = own.add("numbers", Json::object());
  for (const auto& [name, value] : config.numbers) {
    if (const double* real = std::get_if<double>(&value)) {
      if (!std::isfinite(*real)) refuse("number " + detail::in_quotes(name) + " is not finite", "a finite number");
      put(numbers, name, *real);
    } else {
      put(numbers, name, std::get<std::int64_t>(value));
    }
  }
  Json& strings = own.add("strings", Json::object());
  for (const auto& [name, text] : config.strings) put(strings, name, text);
  Json& files = own.add("files", Json::object());
  for (const auto& [name, sum] : config.files) put(files, name, sum);
  for (const auto& [name, json] : config.own_others) put(own, name, detail::parse_tree(json, name));
  top.add("entrain", std::move(own));
  for (const auto& [name, json] : config.others) put(top, name, detail::parse_tree(json, name));
  try {
    return top.dump(2) + "\n";
  } catch (const nlohmann::json::exception& e) {
    throw Error("entrain.checkpoint.37", where, detail::json_reason(e), "UTF-8");
  }
}

}  // namespace entrain::checkpoint
