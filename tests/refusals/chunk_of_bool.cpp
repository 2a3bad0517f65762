// entrain: EachSample<F, S> does not support bool, as std::vector<bool> stores eight in a byte; let F return char.
#include "tests/refusals/own_stage.hpp"
struct Odd {
#if defined(WRONG)
  bool operator()(int& n) const { return n % 2; }
#else
  char operator()(int& n) const { return n % 2; }
#endif
};
template class entrain::batch::EachSample<Odd, entrain::batch::Chunked<Numbers>>;
