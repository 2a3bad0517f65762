// text > [batch] > embed > encode > head > optim > checkpoint
//
// In which scheme a source has its tags: it says so, and so does every stage behind it that gives text.
#pragma once

namespace entrain::batch {

/// S::Tags, one of text/scheme.hpp.
template <class S> struct SaysTags {
  static_assert(
      requires { typename S::Tags; },
      "entrain: this source or stage does not say the scheme of its tags: add 'using Tags = text::Bio;' to it, "
      "or another scheme of text/scheme.hpp; see SaysTags<S>.");
  using type = typename S::Tags;
};
template <class S> using TagsOf = typename SaysTags<S>::type;

/// Of a stage around S that gives text with the tags that S gives: its Tags, if S says any.
template <class S> struct SameTags {};
template <class S>
requires requires { typename S::Tags; }
struct SameTags<S> {
  using Tags = typename S::Tags;
};

}  // namespace entrain::batch
