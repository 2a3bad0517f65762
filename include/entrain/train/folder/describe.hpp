// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A composition as text, made from its type: config.json stores it, and loading compares it.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/type_name.hpp"

namespace entrain::train {

/// Writes types and numbers with their brackets and commas. All code that does not depend on a type is compiled once.
class Description {
 public:
  ENTRAIN_INLINE void open(std::string_view name);  // a type; its arguments follow
  ENTRAIN_INLINE void close();
  ENTRAIN_INLINE void number(int n);

  /// A type with all its arguments. A type whose arguments are not types and ints in one of the orders below describes
  /// itself: `static std::string describe()`. A type whose name changed after model folders were written keeps its
  /// former name there: `static constexpr std::string_view described_as`. A type that matters only during training, as
  /// layer::Frozen, names the type that it is afterwards: `using Described = Layer`.
  template <class T> void type();

  std::string words;

 private:
  ENTRAIN_INLINE void separate();

  bool bare_ = false;  // a name was written, but no argument of it

  template <class T> struct Arguments {
    static_assert(
        !has_arguments<T>(),
        "entrain: a composition's description does not list all template arguments of this type, so two different "
        "compositions would have the same description: write 'static std::string describe()' in it; see "
        "docs/extending/layer.md.");
    static void list(Description&) {}
  };
  template <template <class...> class L, class... A> struct Arguments<L<A...>> {
    static void list(Description& d) { (d.type<A>(), ...); }
  };
  template <template <int...> class L, int... N> struct Arguments<L<N...>> {
    static void list(Description& d) { (d.number(N), ...); }
  };
  template <template <int, class, class...> class L, int N, class A, class... B> struct Arguments<L<N, A, B...>> {
    static void list(Description& d) { d.number(N), d.type<A>(), (d.type<B>(), ...); }
  };
  template <template <int, class, int, int...> class L, int N, class A, int M, int... K>
  struct Arguments<L<N, A, M, K...>> {
    static void list(Description& d) { d.number(N), d.type<A>(), d.number(M), (d.number(K), ...); }
  };
  template <template <class, int, int...> class L, class A, int N, int... K> struct Arguments<L<A, N, K...>> {
    static void list(Description& d) { d.type<A>(), d.number(N), (d.number(K), ...); }
  };
};

template <class T> void Description::type() {
  if constexpr (requires { typename T::Described; }) {
    type<typename T::Described>();
    return;
  } else if constexpr (requires { T::describe(); }) {
    open(T::describe());
  } else if constexpr (requires { T::described_as; }) {
    open(T::described_as);
    Arguments<T>::list(*this);
  } else {
    open(type_name<T>());
    Arguments<T>::list(*this);
  }
  close();
}

/// `Tagger<MultiHash<96, HashedWords<4, 5000, 1000, 2500, 2500>, 3>, ..., Crf<96, Bioes>>`: every argument, including
/// defaults, so that g++ and clang give the same text.
template <class T> [[gnu::cold]] std::string describe() {
  Description d;
  d.type<T>();
  return d.words;
}

/// The name of an optimizer or a schedule, and for a specialization of a template also all arguments, so that --resume
/// distinguishes `lion Lion<3>` from `lion Lion<4>`. A type that has arguments which a description does not list
/// describes itself, as above.
template <class T> [[gnu::cold]] std::string named_with_arguments() {
  std::string words(T::name);
  if constexpr (has_arguments<T>()) words += " " + describe<T>();
  return words;
}

/// The smallest parts in which two descriptions differ, as in {"MultiHash<96, ...>", "MultiHash<128, ...>"}.
struct Difference {
  std::string_view a, b;
};
ENTRAIN_INLINE Difference first_difference(std::string_view a, std::string_view b);

/// The head of a described composition, in lower case, without its wrappers: `crf` of Tagger<E, N, Dropped<Crf<96,
/// Bio>>>. Empty: the text describes something else.
ENTRAIN_INLINE std::string head_in(std::string_view words);

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/train/folder/describe.ipp"
#endif
