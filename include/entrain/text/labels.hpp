// [text] > batch > embed > encode > head > optim > checkpoint
//
// Tag strings and tag numbers: "B-creative-work" is part B of type creative-work. The list of types is a run-time
// value; the scheme, which says how many parts a type has, is a type.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::text {

/// A tag string in two: "B-creative-work" is {'B', "creative-work"}, "O" is {'O', ""}. A bare "B" has the empty type,
/// as in files that mark one kind of entity only.
struct RawTag {
  char part = 'O';
  std::string_view type;
  friend constexpr bool operator==(const RawTag&, const RawTag&) = default;
};

/// Every letter of every scheme, O apart.
inline constexpr std::string_view tag_letters = "BIESLUM";

/// What keeps a string from being a tag, as in "no type after the '-'"; empty if it is one.
constexpr std::string_view tag_problem(std::string_view tag) {
  if (tag.empty()) return "the tag is empty";
  if (tag == "O") return {};
  if (tag.front() == 'O') return "O has no type";
  if (tag_letters.find(tag.front()) == std::string_view::npos) return "the first letter is none of O B I E S L U M";
  if (tag.size() == 1) return {};
  if (tag[1] != '-') return "no '-' after the first letter";
  if (tag.size() == 2) return "no type after the '-'";
  return {};
}

/// Splits at the first '-' only; nothing if tag_problem(tag) has something to say.
constexpr std::optional<RawTag> split_tag(std::string_view tag) {
  if (!tag_problem(tag).empty()) return std::nullopt;
  return RawTag{tag.front(), tag.size() > 2 ? tag.substr(2) : std::string_view{}};
}

inline std::string join_tag(char part, std::string_view type) {
  std::string s(1, part);
  if (part != 'O' && !type.empty()) s.append("-").append(type);
  return s;
}

/// Entity types numbered in order of appearance. Grows; numbers never change.
class Types {
 public:
  static constexpr std::int32_t none = -1;

  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }
  const std::string& name(std::int32_t type) const { return names_[static_cast<std::size_t>(type)]; }
  const std::vector<std::string>& names() const { return names_; }

  std::int32_t find(std::string_view name) const {
    const auto at = numbers_.find(name);
    return at == numbers_.end() ? none : at->second;
  }
  std::int32_t add(std::string_view name) {  // the number it has, or the next one
    if (const auto known = find(name); known != none) return known;
    names_.emplace_back(name);
    numbers_.emplace(names_.back(), size() - 1);
    return size() - 1;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
};

/// A tag whose type is a number and whose letter is still the file's, in whatever scheme the file has.
struct Mark {
  static constexpr char malformed = '?';
  std::int32_t type = Types::none;
  char letter = 'O';
  friend constexpr bool operator==(const Mark&, const Mark&) = default;
};

/// A new type joins `types`. A malformed tag becomes letter '?', which stands in no entity.
inline Mark read_mark(std::string_view tag, Types& types) {
  const auto raw = split_tag(tag);
  if (!raw) return Mark{Types::none, Mark::malformed};
  if (raw->part == 'O') return Mark{};
  return Mark{types.add(raw->type), raw->part};
}

/// The tags of a model: O, then every part of every type, in the order of the types.
template <TagScheme S> class Labels {
 public:
  Labels() = default;

  /// throws    entrain.text.21 if a type stands twice
  explicit Labels(const std::vector<std::string>& types) {
    for (const auto& type : types) {
      if (types_.find(type) != Types::none)
        throw Error("entrain.text.21", "", "entity type '" + type + "' twice in the list of labels", "each type once");
      types_.add(type);
    }
  }

  std::int32_t count() const { return 1 + types_.size() * S::parts; }
  const Types& types() const { return types_; }

  /// 0 <= tag < count()
  std::string name(Tag tag) const { return tag == 0 ? "O" : join_tag(letter(tag), types_.name(tag_type<S>(tag))); }

  /// Nothing if the string is malformed, or its letter or its type is not among the labels.
  std::optional<Tag> find(std::string_view tag) const {
    const auto raw = split_tag(tag);
    if (!raw) return std::nullopt;
    if (raw->part == 'O') return 0;
    const auto type = types_.find(raw->type);
    const int part = part_of<S>(raw->part);
    if (type == Types::none || part < 0) return std::nullopt;
    return make_tag<S>(type, part);
  }

 private:
  static char letter(Tag tag) { return S::letters[static_cast<std::size_t>(tag_part<S>(tag))]; }
  Types types_;
};

}  // namespace entrain::text
