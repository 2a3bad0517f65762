// [text] > batch > embed > encode > head > optim > checkpoint
//
// What an annotation says that it holds, against what is at its place; and what its offsets count, if not what they are
// taken for. For messages alone.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/offsets.hpp"
#include "entrain/text/token.hpp"

namespace entrain::text {

/// Whether two texts are equal but for case and white space.
ENTRAIN_PART bool same_text(std::string_view a, std::string_view b);

/// Where a stretch is in a text: ` at [0, 2)`, or how many times it is there.
///
/// words     of the text, from left to right: of several places one that is whole words is taken, if there is one
/// unit      in which the place is given; of unit `words` the place is [0, 0], if it is whole words
ENTRAIN_PART std::string place_of_text(std::string_view text, std::span<const Token> words, std::string_view stretch,
                                       OffsetUnit unit);

/// `offsets seem to count UTF-16 units: --offsets utf-16`, where an annotation of another unit than `unit` would hold
/// `own`, or whole words if that is empty. `if offsets count ...` where UTF-16 is possible alone. Else nothing.
ENTRAIN_PART std::string unit_that_fits(std::string_view text, std::span<const Token> words, std::int64_t begin,
                                        std::int64_t end, std::string_view own, OffsetUnit unit);

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/own_text.ipp"
#endif
