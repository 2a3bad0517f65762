// [text] > batch > embed > encode > head > optim > checkpoint
//
// The scheme of a source's tags: the source names it, and so does every later stage that gives text.
#pragma once
#include "entrain/text/tags/scheme.hpp"

namespace entrain::text {

/// S::Tags, one of text/tags/scheme.hpp.
template <class S> struct SaysTags {
  static_assert(
      requires { typename S::Tags; },
      "entrain: this source or stage does not name the scheme of its tags: add 'using Tags = text::Bio;' to it, "
      "or another scheme of text/tags/scheme.hpp; see SaysTags<S>.");
  using type = text::Bio;  // any scheme, so that the assertion is the only error
};
template <class S>
requires requires { typename S::Tags; }
struct SaysTags<S> {
  using type = typename S::Tags;
};
template <class S> using TagsOf = typename SaysTags<S>::type;

/// For a stage around S that gives text with the tags of S: its Tags, if S has any.
template <class S> struct SameTags {};
template <class S>
requires requires { typename S::Tags; }
struct SameTags<S> {
  using Tags = typename S::Tags;
};

}  // namespace entrain::text
