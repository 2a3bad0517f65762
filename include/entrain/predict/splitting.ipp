// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// Definitions of splitting.hpp.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/text/split/sentences.hpp"
#include "entrain/text/split/splitter.hpp"

namespace entrain::predict {
namespace detail {

template <class Found, class Default, class... Others>
Found find_splitter(std::string_view name, std::string_view kind, std::string_view where) {
  if (name.empty()) return {Default::name, &Default::split};
  std::string known;
  for (const Found& f : {Found{Default::name, &Default::split}, Found{Others::name, &Others::split}...}) {
    if (f.name == name) return f;
    known.append(known.empty() ? "" : ", ").append(f.name);
  }
  throw Error("entrain.predict.1", where, std::string(kind) + " splitter '" + std::string(name) + "'",
              "one of " + known);
}

}  // namespace detail

ENTRAIN_INLINE WordSplitter word_splitter(std::string_view name, std::string_view where) {
  return detail::find_splitter<WordSplitter, text::UnicodeWords, text::Whitespace>(name, "word", where);
}
ENTRAIN_INLINE SentenceSplitter sentence_splitter(std::string_view name, std::string_view where) {
  return detail::find_splitter<SentenceSplitter, text::UnicodeSentences, text::Lines, text::WholeText>(name, "sentence",
                                                                                                       where);
}

}  // namespace entrain::predict
