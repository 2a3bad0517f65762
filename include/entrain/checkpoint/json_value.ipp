// text > batch > embed > encode > head > optim > [checkpoint]
//
// A JSON value and its parts. The library's own value type is not used for two reasons: its destructor allocates, so a
// program without free memory is aborted there, and a list of its objects copies them as it grows.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace entrain::checkpoint::detail {

/// An object keeps the order of its keys, and searches them one by one. The destructor recurses as deep as the value
/// nests; TreeBuilder limits the depth.
class Json {
 public:
  using List = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(std::nullptr_t) {}
  template <std::same_as<bool> Bool> Json(Bool value) : value_(value) {}  // not a pointer
  Json(std::int64_t value) : value_(value) {}
  Json(std::uint64_t value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(const std::vector<std::string>& texts) : value_(List(texts.begin(), texts.end())) {}
  static Json object() { return Json(Object{}); }
  static Json array() { return Json(List{}); }

  bool is_null() const { return holds<std::nullptr_t>(); }
  bool is_boolean() const { return holds<bool>(); }
  bool is_string() const { return holds<std::string>(); }
  bool is_array() const { return holds<List>(); }
  bool is_object() const { return holds<Object>(); }
  bool is_number_unsigned() const { return holds<std::uint64_t>(); }
  bool is_number_float() const { return holds<double>(); }
  bool is_number() const { return holds<std::int64_t>() || is_number_unsigned() || is_number_float(); }

  bool boolean() const { return std::get<bool>(value_); }
  const std::string& text() const { return std::get<std::string>(value_); }
  /// The value of a number, converted as by a cast.
  template <class N> N number() const {
    if (const auto* real = std::get_if<double>(&value_)) return static_cast<N>(*real);
    if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<N>(*whole);
    return static_cast<N>(std::get<std::uint64_t>(value_));
  }
  const List& items() const { return std::get<List>(value_); }
  const Object& members() const { return std::get<Object>(value_); }

  /// The value under a key; null if there is none, or if this is not an object.
  const Json* find(std::string_view key) const {
    if (const auto* all = std::get_if<Object>(&value_))
      for (const auto& [name, value] : *all)
        if (name == key) return &value;
    return nullptr;
  }
  /// Moves the value under a key out of this object.
  std::optional<Json> take(std::string_view key) {
    auto& all = std::get<Object>(value_);
    for (auto it = all.begin(); it != all.end(); ++it) {
      if (it->first != key) continue;
      Json value = std::move(it->second);
      all.erase(it);
      return value;
    }
    return std::nullopt;
  }
  void append(Json value) { std::get<List>(value_).push_back(std::move(value)); }
  /// Adds a key that is not yet present.
  Json& add(std::string key, Json value) {
    auto& all = std::get<Object>(value_);
    return all.emplace_back(std::move(key), std::move(value)).second;
  }

  void set(std::string key, Json value) {
    for (auto& [name, old] : std::get<Object>(value_))
      if (name == key) return void(old = std::move(value));
    add(std::move(key), std::move(value));
  }

  /// indent 0: on one line. throws the library's exception if a text is not UTF-8
  std::string dump(std::size_t indent = 0) const {
    std::string out;
    write(out, indent, indent);
    return out;
  }

  bool operator==(const Json&) const = default;

 private:
  explicit Json(List value) : value_(std::move(value)) {}
  explicit Json(Object value) : value_(std::move(value)) {}

  template <class T> bool holds() const { return std::holds_alternative<T>(value_); }

  static std::string text_of(const std::string& value) { return nlohmann::json(value).dump(); }

  void write(std::string& out, std::size_t indent, std::size_t column) const {
    const auto separate = [&](const char* mark, std::size_t to) {
      out += mark;
      if (indent > 0) out.append("\n").append(to, ' ');
    };
    const auto all = [&](const auto& parts, char open, char close, auto one) {
      out += open;
      for (const auto& part : parts) separate(&part == parts.data() ? "" : ",", column), one(part);
      if (!parts.empty()) separate("", column - indent);
      out += close;
    };
    if (const auto* list = std::get_if<List>(&value_)) {
      all(*list, '[', ']', [&](const Json& item) { item.write(out, indent, column + indent); });
    } else if (const auto* object = std::get_if<Object>(&value_)) {
      all(*object, '{', '}', [&](const auto& member) {
        out.append(text_of(member.first)).append(indent > 0 ? ": " : ":");
        member.second.write(out, indent, column + indent);
      });
    } else if (is_string()) {
      out += text_of(text());
    } else if (is_number_float()) {
      out += nlohmann::json(number<double>()).dump();
    } else if (is_number()) {
      out += is_number_unsigned() ? std::to_string(number<std::uint64_t>()) : std::to_string(number<std::int64_t>());
    } else {
      out += is_null() ? "null" : boolean() ? "true" : "false";
    }
  }

  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Object> value_;
};

}  // namespace entrain::checkpoint::detail
