// entrain: Workers<S> and Prefetch<S> swap the items of S, but these cannot be moved;
// entrain: OneOf<S...> is constructed from one of the stages S; this is not one of them.
// entrain: Dealt<S> needs S to yield chunks of samples, such as std::vector<Sample>;
// entrain: Chunked<S> does not support bool, as std::vector<bool> stores eight in a byte; let S yield char.
// entrain: a stage takes other items than the stage inside it yields; see ItemsMeet<Given, Taken>.
#include <atomic>

#include "entrain/batch/pipeline/one_of.hpp"
#include "tests/refusals/own_stage.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain::batch;
template <class ItemType> struct Gives {
  using Item = ItemType;
  using Cursor = int;
  void start(std::uint32_t, int) {}
  int cursor() const { return 0; }
  bool next(ItemType&) { return false; }
};
struct Others : Numbers {};
#if WRONG == 1
static_assert(sizeof(Workers<Gives<std::atomic<int>>>) > 0);
#elif WRONG == 2
OneOf<Numbers, Gives<int>> one() { return OneOf<Numbers, Gives<int>>(Others()); }
#elif WRONG == 3
static_assert(sizeof(Dealt<Numbers>) > 0);
#elif WRONG == 4
static_assert(sizeof(Chunked<Gives<bool>>) > 0);
#elif WRONG == 5
static_assert(sizeof(OneOf<Numbers, Gives<char>>) > 0);
#else
static_assert(sizeof(Workers<Gives<char>>) + sizeof(Dealt<Chunked<Numbers>>) + sizeof(Chunked<Gives<char>>) > 0);
OneOf<Numbers, Gives<int>> one() { return OneOf<Numbers, Gives<int>>(Numbers()); }
#endif
