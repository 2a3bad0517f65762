// [text] > batch > embed > encode > head > optim > checkpoint
//
// Labels that look alike but are not the same bytes: they differ by case, blanks, invisible characters, or the Unicode
// form of their letters (NFC, NFD), so a model learns them as two classes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

/// The differences that fold_label ignores.
struct LabelFold {
  bool letter_case = true;  // A and a
  bool blanks = true;       // at the ends; white space of any kind and length, U+00A0 too, is one blank
  bool invisible = true;    // U+200B, U+00AD, U+FEFF, ...
  bool form = true;         // NFC and NFD: letters with accents as one character or as several
};

/// One form for all labels that look alike. A label that is not UTF-8 is its own form.
ENTRAIN_INLINE std::string fold_label(std::string_view label, const LabelFold& over = {});

/// The differences between two labels that look alike: `case`, `blanks (U+00A0)`, `invisible characters (U+200B)`, `the
/// Unicode form (NFC or NFD)`, or several of these.
ENTRAIN_INLINE std::string difference_of_labels(std::string_view a, std::string_view b);

/// The label without blanks at its ends and without invisible characters, and with plain blanks inside.
inline std::string without_unseen(std::string_view label) {
  return fold_label(label, {.letter_case = false, .blanks = true, .invisible = true, .form = false});
}

/// A sentence for each label that looks like an earlier one; after the first twenty, one with the number of the rest.
ENTRAIN_INLINE std::vector<std::string> look_alikes(const std::vector<std::string>& labels);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tags/label_form.ipp"
#endif
