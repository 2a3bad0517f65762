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

}  // namespace entrain::batch
