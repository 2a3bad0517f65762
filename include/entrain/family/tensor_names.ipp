// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of tensor_names.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/family/tensor_names.hpp"

namespace entrain::family {
namespace detail {

/// `name` with the first prefix of `list` that it has replaced by the other name.
inline std::string renamed(std::string_view name, const List<Renamed>& list) {
  for (const auto& [ours, theirs] : list)
    if (name.starts_with(ours)) return std::string(theirs).append(name.substr(ours.size()));
  return std::string(name);
}

}  // namespace detail

ENTRAIN_INLINE std::string stored_name(const std::string& ours, const Description* family, bool pooled) {
  if (family == nullptr) return ours;
  const Names& names = family->names;
  const std::string_view name = ours;
  constexpr std::string_view embed = "embed.", encode = "encode.", head = "head.";
  std::string stored(names.prefix);
  if (name.starts_with(embed))
    return stored.append(names.embeddings).append(detail::renamed(name.substr(embed.size()), names.in_embeddings));
  if (name.starts_with(encode)) {
    if (name[encode.size()] < '0' || name[encode.size()] > '9')  // of no block
      return stored.append(name.substr(encode.size()));
    const std::size_t inside = name.find('.', encode.size()) + 1;
    return stored.append(names.blocks)
        .append(name.substr(encode.size(), inside - encode.size()))
        .append(detail::renamed(name.substr(inside), names.in_block));
  }
  const bool others = pooled && names.in_pooled_head.begin() != names.in_pooled_head.end();
  return detail::renamed(name.substr(name.starts_with(head) ? head.size() : 0),
                         others ? names.in_pooled_head : names.in_head);
}

ENTRAIN_INLINE std::vector<std::string> stored_names(const std::string& ours, const Description& family, bool pooled) {
  std::vector<std::string> names{stored_name(ours, &family, pooled)};
  for (const auto& [end, older] : family.names.older_ends)
    if (names[0].ends_with(end)) names.push_back(names[0].substr(0, names[0].size() - end.size()).append(older));
  const std::string_view prefix = family.names.prefix;
  for (std::size_t i = 0, n = names.size(); i < n; ++i)
    if (names[i].starts_with(prefix)) names.push_back(names[i].substr(prefix.size()));
  return names;
}

ENTRAIN_INLINE bool is_pretrained(std::string_view stored, const Description& family) {
  const List<std::string_view>& of_head = family.names.pretrained_in_head;
  return stored.starts_with(family.names.prefix) ||
         std::any_of(of_head.begin(), of_head.end(), [&](std::string_view begin) { return stored.starts_with(begin); });
}

ENTRAIN_INLINE bool not_for_tagging(std::string_view name, const Description& family) {
  const Names& names = family.names;
  if (std::any_of(names.other_heads.begin(), names.other_heads.end(),
                  [&](std::string_view head) { return name.starts_with(head); }))
    return true;
  if (name.starts_with(names.prefix)) name.remove_prefix(names.prefix.size());
  return std::find(names.not_read.begin(), names.not_read.end(), name) != names.not_read.end();
}

}  // namespace entrain::family
