// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of usual_labels.hpp.
#pragma once
#include <cstddef>
#include <utility>

#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tags/usual_labels.hpp"
#include "entrain/text/unicode/unicode.hpp"  // lower
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {
namespace detail {

/// The most frequent spelling of each label that has several. seen(label): the label without the differences that a
/// rule removes; key(label): the same for all spellings.
template <class Seen, class Key>
std::map<std::string, std::string> usual_spellings(std::span<const std::string> labels,
                                                   std::span<const std::uint64_t> mentions, Seen&& seen, Key&& key_of) {
  std::map<std::string, std::uint64_t> all;  // mentions of each spelling
  std::vector<std::string> order;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::string label = seen(labels[k]);
    if (all.find(label) == all.end()) order.push_back(label);
    all[label] += mentions[k];
  }
  std::map<std::string, std::pair<std::uint64_t, std::string>> best;
  for (const std::string& label : order) {
    const std::uint64_t count = all[label];
    const auto [entry, added] = best.emplace(key_of(label), std::pair(count, label));
    if (!added && count > entry->second.first) entry->second = {count, label};
  }
  std::map<std::string, std::string> spelling;
  for (auto& [key, value] : best) spelling.emplace(key, std::move(value.second));
  return spelling;
}

inline std::string form_key(const std::string& label) { return fold_label(label, {.letter_case = false}); }

inline std::string usual(const std::map<std::string, std::string>& spellings, const std::string& key,
                         const std::string& label) {
  const auto at = spellings.find(key);
  return at == spellings.end() ? label : at->second;
}

}  // namespace detail

ENTRAIN_INLINE UsualLabels::UsualLabels(std::span<const std::string> labels, std::span<const std::uint64_t> mentions,
                                        const Rules& rules)
    : form_(rules.has(Rule::label_form)), case_(rules.has(Rule::label_case)) {
  learn(labels, mentions);
}

ENTRAIN_INLINE UsualLabels::UsualLabels(const Check& check, const Rules& rules)
    : form_(rules.has(Rule::label_form)), case_(rules.has(Rule::label_case)) {
  std::vector<std::uint64_t> mentions(check.labels.size());
  for (const SplitSummary& split : check.splits)
    for (std::size_t k = 0; k < mentions.size(); ++k) mentions[k] += split.mentions[k];
  learn(check.labels, mentions);
}

ENTRAIN_INLINE void UsualLabels::learn(std::span<const std::string> labels, std::span<const std::uint64_t> mentions) {
  if (form_) forms_ = detail::usual_spellings(labels, mentions, without_unseen, detail::form_key);
  const auto seen = [&](const std::string& label) { return formed(label); };
  const auto key = [&](const std::string& label) { return case_key(label); };
  if (case_) cases_ = detail::usual_spellings(labels, mentions, seen, key);
}

ENTRAIN_INLINE std::string UsualLabels::formed(const std::string& label) const {
  return form_ ? detail::usual(forms_, detail::form_key(label), label) : label;
}
ENTRAIN_INLINE std::string UsualLabels::cased(const std::string& label) const {
  return case_ ? detail::usual(cases_, case_key(label), label) : label;
}

/// Without rule `form`, differences of form keep labels apart.
ENTRAIN_INLINE std::string UsualLabels::case_key(const std::string& label) const {
  if (form_) return fold_label(label);
  return is_valid_utf8(label) ? lower(label) : label;
}

}  // namespace entrain::text
