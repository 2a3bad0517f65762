// entrain: a stage takes other items than the stage inside it yields; see ItemsMeet<Given, Taken>.
#include "tests/refusals/own_stage.hpp"
template <class S> struct Summed {  // takes numbers
  static_assert(entrain::batch::ItemsMeet<typename S::Item, int>::value);
};
#if defined(WRONG)
using Inner = entrain::batch::Chunked<Numbers>;
#else
using Inner = entrain::batch::Workers<Numbers>;
#endif
template struct Summed<Inner>;
