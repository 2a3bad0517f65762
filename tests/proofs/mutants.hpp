// tests > [proofs]
//
// All mutants of a source in one program, of which MUTANT chooses one: `a + b` was written `a + plus{7} + b`, which is
// a sum unless 7 is chosen; operators bind as they did. What is worked out while compiling stays as it is. Which
// mutants a program reached goes into the file that MUTANTS_SEEN names. Written by scripts/mutate/mutants_inside.awk.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "tests/sanitized.hpp"

namespace mutants {

inline constexpr int most = 1 << 14;

struct Seen {
  bool of[most] = {};
  ~Seen() {
    const char* const file = std::getenv("MUTANTS_SEEN");
    std::FILE* const to = file != nullptr ? std::fopen(file, "w") : nullptr;
    if (to == nullptr) return;
    for (int i = 0; i < most; ++i)
      if (of[i]) std::fprintf(to, "%d\n", i);
    std::fclose(to);
  }
};
inline Seen seen;
inline const int chosen = [] {
  const char* const which = std::getenv("MUTANT");
  return which != nullptr ? std::atoi(which) : 0;
}();
/// A call, because it is everywhere. It is not sanitized, nor are the operators: they take long enough to compile.
[[gnu::noinline]] NOT_SANITIZED inline bool is(int mutant) {
  seen.of[mutant] = true;
  return mutant == chosen;
}

/// The left operand and which mutant: the operand before the second of two operators.
template <class A, class Mutants> struct Left {
  A a;
  Mutants which;
};
/// The mutants of an operator that was written so: it is another one, or its right side is dropped. 0: no mutant.
template <char Written> struct Which { int other = 0, dropped = 0; };
using plus = Which<'+'>;
using minus = Which<'-'>;
using times = Which<'*'>;
using over = Which<'/'>;
using less = Which<'<'>;
using at_most = Which<'='>;
using raise = Which<'r'>;  // +=

template <class A> NOT_SANITIZED constexpr Left<A, plus> operator+(A a, plus which) { return {a, which}; }
template <class A> NOT_SANITIZED constexpr Left<A, minus> operator-(A a, minus which) { return {a, which}; }
template <class A> NOT_SANITIZED constexpr Left<A, times> operator*(A a, times which) { return {a, which}; }
template <class A> NOT_SANITIZED constexpr Left<A, over> operator/(A a, over which) { return {a, which}; }
template <class A> NOT_SANITIZED constexpr Left<A, less> operator<(A a, less which) { return {a, which}; }
template <class A> NOT_SANITIZED constexpr Left<A, at_most> operator<=(A a, at_most which) { return {a, which}; }

template <class A, class B> NOT_SANITIZED constexpr auto operator+(Left<A, plus> l, B b) -> decltype(l.a + b) {
  using R = decltype(l.a + b);
  if (!std::is_constant_evaluated()) {
    if constexpr (requires { static_cast<R>(l.a - b); })
      if (l.which.other != 0 && is(l.which.other)) return static_cast<R>(l.a - b);
    if constexpr (requires { static_cast<R>(l.a); })
      if (l.which.dropped != 0 && is(l.which.dropped)) return static_cast<R>(l.a);
  }
  return l.a + b;
}
template <class A, class B> NOT_SANITIZED constexpr auto operator-(Left<A, minus> l, B b) -> decltype(l.a - b) {
  using R = decltype(l.a - b);
  if (!std::is_constant_evaluated())
    if constexpr (requires { static_cast<R>(l.a + b); })
      if (is(l.which.other)) return static_cast<R>(l.a + b);
  return l.a - b;
}
template <class A, class B> NOT_SANITIZED constexpr auto operator*(Left<A, times> l, B b) -> decltype(l.a * b) {
  using R = decltype(l.a * b);
  if (!std::is_constant_evaluated())
    if constexpr (requires { static_cast<R>(l.a / b); })
      if (is(l.which.other)) return static_cast<R>(l.a / b);
  return l.a * b;
}
template <class A, class B> NOT_SANITIZED constexpr auto operator/(Left<A, over> l, B b) -> decltype(l.a / b) {
  using R = decltype(l.a / b);
  if (!std::is_constant_evaluated())
    if constexpr (requires { static_cast<R>(l.a * b); })
      if (is(l.which.other)) return static_cast<R>(l.a * b);
  return l.a / b;
}
template <class A, class B> NOT_SANITIZED constexpr auto operator<(Left<A, less> l, B b) -> decltype(l.a < b) {
  return !std::is_constant_evaluated() && is(l.which.other) ? l.a <= b : l.a < b;
}
template <class A, class B> NOT_SANITIZED constexpr auto operator<=(Left<A, at_most> l, B b) -> decltype(l.a <= b) {
  return !std::is_constant_evaluated() && is(l.which.other) ? l.a < b : l.a <= b;
}

/// The right operand of `a += raise{7} += b`.
template <class B> struct Right {
  B b;
  raise which;
};
template <class B> NOT_SANITIZED constexpr Right<B> operator+=(raise which, B b) { return {b, which}; }
template <class A, class B> NOT_SANITIZED constexpr A& operator+=(A& a, Right<B> r) {
  if constexpr (requires { a -= r.b; })
    if (!std::is_constant_evaluated() && is(r.which.other)) return a -= r.b, a;
  return a += r.b, a;
}

/// `x[shifted(i, 7)]`
template <class I> NOT_SANITIZED constexpr auto shifted(I i, int mutant) {
  return !std::is_constant_evaluated() && is(mutant) ? static_cast<I>(i + 1) : i;
}

}  // namespace mutants
