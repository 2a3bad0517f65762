// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Writes the output of `check --fix`: a copy of each file, in a folder. text/check/repair_rules.hpp has the rules.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/check/repair_rules.hpp"

namespace entrain::app {

/// throws    entrain.app.36: --fix of a file that is neither CoNLL nor JSON Lines with labels, or of JSON Lines that
///           can be read only once
ENTRAIN_INLINE void refuse_unrepairable(const std::string& path, Format format);

/// The copies of one run of check; none without --fix.
class RepairedCopies {
 public:
  /// throws    entrain.app.15 if a copy would be written over another or over its original    .36: a rule by name that
  ///           applies only to CoNLL files, for JSON Lines    what prepare_folder throws
  ENTRAIN_INLINE RepairedCopies(const Settings& s, const std::vector<std::string>& paths,
                                const std::vector<Format>& formats);

  const text::Rules& rules() const { return rules_; }
  const std::string& path(std::size_t i) const { return to_[i]; }

  /// If there are JSON Lines, prints which rules apply to them.
  ENTRAIN_INLINE void say_rules(Console& console) const;
  /// Lists the changes of a file, and writes its copy.
  ENTRAIN_INLINE void write(std::size_t i, const std::string& name, const text::Repaired& repaired, Output& out,
                            Console& console) const;

 private:
  std::vector<std::string> to_;
  text::Rules rules_;
  Signals* signals_ = nullptr;
  bool some_left_out_ = false;  // of the rules, for JSON Lines
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/check/repaired_copies.ipp"
#endif
