// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of labels.hpp.
#pragma once
#include "entrain/core/error.hpp"
#include "entrain/text/tags/labels.hpp"

namespace entrain::text {

ENTRAIN_INLINE std::string join_tag(char part, std::string_view type) {
  std::string s(1, part);
  if (part != 'O' && !type.empty()) s.append("-").append(type);
  return s;
}

ENTRAIN_INLINE Types::Types(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (find(name) != none)
      throw Error("entrain.text.21", "", "entity type '" + name + "' twice in the label list", "each type once");
    add(name);
  }
}

ENTRAIN_INLINE std::int32_t Types::find(std::string_view name) const {
  const auto at = numbers_.find(name);
  return at == numbers_.end() ? none : at->second;
}

ENTRAIN_INLINE std::int32_t Types::add(std::string_view name) {
  if (const auto known = find(name); known != none) return known;
  names_.emplace_back(name);
  numbers_.emplace(names_.back(), size() - 1);
  return size() - 1;
}

ENTRAIN_INLINE Mark read_mark(std::string_view tag, Types& types) {
  const auto raw = split_tag(tag);
  if (!raw) return Mark{Types::none, Mark::malformed};
  if (raw->part == 'O') return Mark{};
  return Mark{types.add(raw->type), raw->part};
}

}  // namespace entrain::text
