// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Text that is not UTF-8: a warning with the count and the first place, or an error under --strict. Every command uses
// these functions, so that the messages are the same.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/records/record.hpp"  // Where

namespace entrain::app {

/// said: `where: what` from text/unicode/invalid_utf8.hpp
///
/// throws    entrain.text.43
[[noreturn]] ENTRAIN_INLINE void refuse_not_utf8(const std::string& said);

/// For lines that are read one by one.
class NotUtf8 {
 public:
  explicit NotUtf8(bool strict) : strict_(strict) {}

  /// Records a line with bytes that are not UTF-8.
  ///
  /// throws    entrain.text.43 under --strict, here and below
  ENTRAIN_INLINE void line(std::string_view bytes, const text::Where& where);
  /// Records a record with halves of surrogate pairs.
  ENTRAIN_INLINE void surrogates(std::uint64_t halves, const text::Where& where);
  /// becomes: how the output represents such bytes, as in `U+FFFD is written for them`
  ENTRAIN_INLINE void warn(std::string_view becomes, Console& console);

 private:
  bool strict_;
  std::uint64_t bytes_ = 0, lines_ = 0, halves_ = 0;
  std::string first_, first_half_;
};

/// For sentences that were read, as Corpus::met counts them.
///
/// becomes   if it is empty, the message says nothing about output
ENTRAIN_INLINE void say_not_utf8(const text::Corpus& corpus, bool strict, std::string_view becomes, Console& console);
/// The same from counts. first_*: of text/unicode/invalid_utf8.hpp
ENTRAIN_INLINE void say_not_utf8(const text::Met& met, const std::string& first_invalid, const std::string& first_lone,
                                 bool strict, std::string_view becomes, Console& console);

/// The same for labels; their bytes are printed as `<C9>` in all messages and scores.
ENTRAIN_INLINE void say_labels_not_utf8(const text::Corpus& corpus, const std::vector<std::string>& labels, bool strict,
                                        Console& console);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/not_utf8.ipp"
#endif
