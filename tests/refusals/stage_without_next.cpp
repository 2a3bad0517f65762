// entrain: this is no stage: it has no 'using Item', what it gives; see batch/stage.hpp.
// entrain: this stage's Item is not made without arguments, as memory for items is taken ahead;
// entrain: this is no stage: it has no 'using Cursor', a place in an epoch, which is made without arguments;
// entrain: this is no stage: it has no start(std::uint32_t epoch, const Cursor&); see batch/stage.hpp.
// entrain: this is no stage: it has no cursor(), which gives the Cursor of the next item;
// entrain: this is no stage: it has neither 'bool next(Item&)' nor, for items that several threads make,
// entrain: this stage's next does not take Item& and return bool, false where the epoch is over;
#include "tests/refusals/own_stage.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
struct Number {
#if WRONG == 2
  explicit Number(int) {}
#endif
};
struct Given {
#if WRONG != 1
  using Item = Number;
#endif
#if WRONG != 3
  using Cursor = int;
#endif
#if WRONG == 4
  void start(std::uint32_t) {}
#else
  void start(std::uint32_t, int) {}
#endif
#if WRONG != 5
  int cursor() const { return 0; }
#endif
#if WRONG == 6
  bool give(Number&) { return false; }
#elif WRONG == 7
  void next(Number&) {}
#else
  bool next(Number&) { return false; }
#endif
};
static_assert(sizeof(entrain::batch::Workers<Given>) > 0);
