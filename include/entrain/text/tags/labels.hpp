// [text] > batch > embed > encode > head > optim > checkpoint
//
// Tag strings and tag numbers: "B-creative-work" is part B of type creative-work. The list of types is a run-time
// value; the scheme, which determines how many parts a type has, is a C++ type.
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

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tags/scheme.hpp"

namespace entrain::text {

/// A tag string split in two: "B-creative-work" is {'B', "creative-work"}, "O" is {'O', ""}. A bare "B" has the empty
/// type, as in files that mark only one kind of entity.
struct RawTag {
  char part = 'O';
  std::string_view type;
  friend constexpr bool operator==(const RawTag&, const RawTag&) = default;
};

/// The letters of all schemes, without O.
inline constexpr std::string_view tag_letters = "BIESLUM";

/// Why a string is not a tag, as in "no type after the '-'"; empty if it is one.
constexpr std::string_view tag_problem(std::string_view tag) {
  if (tag.empty()) return "the tag is empty";
  if (tag == "O") return {};
  if (tag.front() == 'O') return "O has no type";
  if (tag_letters.find(tag.front()) == std::string_view::npos) return "the first letter is not one of O B I E S L U M";
  if (tag.size() == 1) return {};
  if (tag[1] != '-') return "no '-' after the first letter";
  if (tag.size() == 2) return "no type after the '-'";
  return {};
}

/// Splits at the first '-' only; returns nothing if tag_problem(tag) is not empty.
constexpr std::optional<RawTag> split_tag(std::string_view tag) {
  if (!tag_problem(tag).empty()) return std::nullopt;
  return RawTag{tag.front(), tag.size() > 2 ? tag.substr(2) : std::string_view{}};
}

/// "B-PER" of 'B' and "PER"; "O" of 'O' and anything.
ENTRAIN_INLINE std::string join_tag(char part, std::string_view type);

/// Entity types numbered in order of first occurrence. The list grows; numbers never change.
class Types {
 public:
  static constexpr std::int32_t none = -1;

  Types() = default;
  /// throws    entrain.text.21 if a name occurs twice
  ENTRAIN_INLINE explicit Types(const std::vector<std::string>& names);

  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }
  const std::string& name(std::int32_t type) const { return names_[static_cast<std::size_t>(type)]; }
  const std::vector<std::string>& names() const { return names_; }

  ENTRAIN_INLINE std::int32_t find(std::string_view name) const;
  ENTRAIN_INLINE std::int32_t add(std::string_view name);  // its number, or the next one if it is new

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
};

/// A tag whose type is a number and whose letter is unchanged, in the scheme of the file.
struct Mark {
  static constexpr char malformed = '?';
  std::int32_t type = Types::none;
  char letter = 'O';
  friend constexpr bool operator==(const Mark&, const Mark&) = default;
};

/// Adds a new type to `types`. A malformed tag gets the letter '?', which belongs to no entity.
ENTRAIN_INLINE Mark read_mark(std::string_view tag, Types& types);

/// The tags of a model: O, then every part of every type, in the order of the types.
template <TagScheme S> class Labels {
 public:
  Labels() = default;

  /// throws    entrain.text.21 if a type occurs twice
  explicit Labels(const std::vector<std::string>& types) : types_(types) {}

  std::int32_t count() const { return 1 + types_.size() * S::parts; }
  const Types& types() const { return types_; }

  /// 0 <= tag < count()
  std::string name(Tag tag) const { return tag == 0 ? "O" : join_tag(letter(tag), types_.name(tag_type<S>(tag))); }

  /// Returns nothing if the string is malformed, or its letter or its type is not among the labels.
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

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tags/labels.ipp"
#endif
