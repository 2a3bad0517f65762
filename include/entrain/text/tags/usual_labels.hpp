// [text] > batch > embed > encode > head > optim > checkpoint
//
// The spelling for labels that look alike: the most frequent one. Read label_form.hpp first.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/check/check_result.hpp"
#include "entrain/text/check/repair_rules.hpp"

namespace entrain::text {

/// The results of the rules `form` and `case` for each label. Of equally frequent labels, the first one is taken. With
/// both rules, labels that differ by form and by case become one.
class UsualLabels {
 public:
  /// labels, mentions    all labels, in order of first occurrence, and how often each occurred
  ENTRAIN_INLINE UsualLabels(std::span<const std::string> labels, std::span<const std::uint64_t> mentions,
                             const Rules& rules);
  ENTRAIN_INLINE UsualLabels(const Check& check, const Rules& rules);

  bool mends_form() const { return form_; }
  /// The label after rule `form`; unchanged without that rule.
  ENTRAIN_INLINE std::string formed(const std::string& label) const;
  /// A result of formed() after rule `case`; unchanged without that rule.
  ENTRAIN_INLINE std::string cased(const std::string& label) const;

 private:
  using Spellings = std::map<std::string, std::string>;  // the usual one by their common key

  void learn(std::span<const std::string> labels, std::span<const std::uint64_t> mentions);
  std::string case_key(const std::string& label) const;

  bool form_ = false, case_ = false;
  Spellings forms_, cases_;
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tags/usual_labels.ipp"
#endif
