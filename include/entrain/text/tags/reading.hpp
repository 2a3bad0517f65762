// [text] > batch > embed > encode > head > optim > checkpoint
//
// How tags become entities: by C++ types, or by values that are detected from files. Read repair.hpp first.
#pragma once
#include <string>

#include "entrain/text/tags/repair.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::text {

/// Tags of one scheme. Rule: the treatment of tags that break it.
template <TagScheme Scheme, class Rule = repair::Conlleval> struct ReadAs {
  /// sink(Span) from left to right. marks: the marks of a sentence
  template <class Marks, class Sink> void operator()(const Marks& marks, Sink&& sink) const {
    Rule::template read<Scheme>(marks, sink);
  }
};

/// The same with scheme and rule known at run time.
struct ReadBy {
  SchemeId scheme = SchemeId::bio;
  std::string repair{repair::Conlleval::name};

  template <class Marks, class Sink> void operator()(const Marks& marks, Sink&& sink) const {
    with_scheme(scheme, [&](auto id) {
      repair::with_rule(repair, [&](auto rule) { decltype(rule)::template read<decltype(id)>(marks, sink); });
    });
  }
};

}  // namespace entrain::text
