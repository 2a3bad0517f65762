// [text] > batch > embed > encode > head > optim > checkpoint
//
// How labels that look alike are to be spelled: as the most frequent one of them. Read label_form.hpp first.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/check_result.hpp"
#include "entrain/text/mend_rules.hpp"

namespace entrain::text {

/// What the rules `form` and `case` make of each label. Of labels that are as frequent as each other, the first one is
/// taken. With both rules, labels that differ by form and by case become one.
class UsualLabels {
 public:
  /// labels, mentions    all that were seen, in order of first sight, and how often each was
  ENTRAIN_PART UsualLabels(std::span<const std::string> labels, std::span<const std::uint64_t> mentions,
                           const Rules& rules);
  ENTRAIN_PART UsualLabels(const Check& check, const Rules& rules);

  bool mends_form() const { return form_; }
  /// The label by rule `form`; as it is without that rule.
  ENTRAIN_PART std::string formed(const std::string& label) const;
  /// A label that formed() gave, by rule `case`; as it is without that rule.
  ENTRAIN_PART std::string cased(const std::string& label) const;

 private:
  using Spellings = std::map<std::string, std::string>;  // the usual one by what all have in common

  void learn(std::span<const std::string> labels, std::span<const std::uint64_t> mentions);
  std::string case_key(const std::string& label) const;

  bool form_ = false, case_ = false;
  Spellings forms_, cases_;
};

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/usual_labels.ipp"
#endif
