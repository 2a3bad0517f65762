// entrain: this is not a stage: it has no 'using Item', the type that it yields; see batch/pipeline/stage.hpp.
// entrain: this stage's Item has no default constructor, which is needed as items are allocated ahead;
// entrain: this is not a stage: it has no 'using Cursor', a position in an epoch with a default constructor;
// entrain: this is not a stage: it has no start(std::uint32_t epoch, const Cursor&); see batch/pipeline/stage.hpp.
// entrain: this is not a stage: it has no cursor(), which returns the Cursor of the next item;
// entrain: this is not a stage: it has neither 'bool next(Item&)' nor, to build items on several threads,
// entrain: this stage's next does not take Item& and return bool, which is false at the end of the epoch;
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
