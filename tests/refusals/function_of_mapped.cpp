// entrain: the function of Mapped or EachSample takes a copy and returns nothing, so it changes no item;
// entrain: the function of Mapped or EachSample cannot be copied, but each thread has a copy of it;
// entrain: the type that the function of Mapped or EachSample returns has no default constructor, which is
#include <memory>

#include "tests/refusals/own_stage.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
#if WRONG == 1
struct F {
  void operator()(int n) const { n /= 2; }
};
#elif WRONG == 2
struct F {
  std::unique_ptr<int> by;
  void operator()(int& n) const { n /= *by; }
};
#elif WRONG == 3
struct Number {
  explicit Number(int) {}
};
struct F {
  Number operator()(int& n) const { return Number(n); }
};
#else
using F = Halved;
#endif
static_assert(sizeof(entrain::batch::Mapped<F, Numbers>) > 0);
static_assert(sizeof(entrain::batch::EachSample<F, entrain::batch::Chunked<Numbers>>) > 0);
