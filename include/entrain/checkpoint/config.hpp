// text > batch > embed > encode > head > optim > [checkpoint]
//
// The contents of config.json of a trained model, as plain values. Labels are stored where Hugging Face keeps them
// (id2label, label2id); keys that only entrain knows are stored under the one key "entrain".
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace entrain::checkpoint {

using Number = std::variant<std::int64_t, double>;
struct NamedNumber {
  std::string name;
  Number value;
  bool operator==(const NamedNumber&) const = default;
};
struct NamedText {
  std::string name, text;
  bool operator==(const NamedText&) const = default;
};
struct FileSum {
  std::string name, sha256;
  bool operator==(const FileSum&) const = default;
};

/// Every list keeps its order through a save and a load.
struct Config {
  static constexpr std::int64_t newest = 1;

  std::int64_t format_version = newest;   // 0: a config.json without the key "entrain", from another program
  std::string composition;                // the model's type in words; loading compares it
  std::vector<std::string> labels;        // by id: O, B-PER, ...
  std::vector<std::string> entity_types;  // PER, ORG, ...
  std::string scheme;                     // how tags encode entities: BIOES, ...
  std::string splitter, sentence_splitter;
  std::vector<NamedNumber> numbers;   // sizes, hyperparameters, the best score
  std::vector<NamedText> strings;     // all other values, as text
  std::vector<FileSum> files;         // the files that belong to this config, by their SHA-256 (folder.hpp fills it)
  std::vector<NamedText> others;      // top-level keys that entrain does not know: their JSON, kept
  std::vector<NamedText> own_others;  // the same, inside "entrain": from a newer version, or misspelt

  bool operator==(const Config&) const = default;

  const Number* number(std::string_view name) const { return find(numbers, name, &NamedNumber::value); }
  const std::string* string(std::string_view name) const { return find(strings, name, &NamedText::text); }
  const std::string* sha256(std::string_view file) const { return find(files, file, &FileSum::sha256); }

  std::optional<double> real(std::string_view name) const {
    const Number* n = number(name);
    if (!n) return std::nullopt;
    return std::holds_alternative<double>(*n) ? std::get<double>(*n) : static_cast<double>(std::get<std::int64_t>(*n));
  }
  std::optional<std::int64_t> integer(std::string_view name) const {
    const Number* n = number(name);
    if (!n || !std::holds_alternative<std::int64_t>(*n)) return std::nullopt;
    return std::get<std::int64_t>(*n);
  }
  void set(std::string_view name, std::int64_t value) { put(numbers, name, &NamedNumber::value, Number(value)); }
  void set(std::string_view name, int value) { set(name, std::int64_t{value}); }
  void set(std::string_view name, double value) { put(numbers, name, &NamedNumber::value, Number(value)); }
  void set(std::string_view name, std::string value) { put(strings, name, &NamedText::text, std::move(value)); }
  void set(std::string_view name, const char* value) { set(name, std::string(value)); }

  /// For the line "kept, but not understood: ...".
  std::vector<std::string> unknown_keys() const {
    std::vector<std::string> keys;
    for (const auto& o : others) keys.push_back(o.name);
    for (const auto& o : own_others) keys.push_back("entrain." + o.name);
    return keys;
  }

 private:
  template <class Named, class Value>
  static const Value* find(const std::vector<Named>& list, std::string_view name, Value Named::*value) {
    for (const auto& item : list)
      if (item.name == name) return &(item.*value);
    return nullptr;
  }
  template <class Named, class Value>
  static void put(std::vector<Named>& list, std::string_view name, Value Named::*value, Value to) {
    for (auto& item : list)
      if (item.name == name) {
        item.*value = std::move(to);
        return;
      }
    list.push_back({std::string(name), std::move(to)});
  }
};

}  // namespace entrain::checkpoint
