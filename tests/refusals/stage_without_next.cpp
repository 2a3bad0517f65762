// entrain: this is no stage: it has neither next(Item&) nor read(Raw&) with work(), or lacks Item, Cursor,
#include "tests/refusals/own_stage.hpp"
struct Given {
  using Item = int;
  using Cursor = int;
  void start(std::uint32_t, int) {}
  int cursor() const { return 0; }
#if defined(WRONG)
  bool give(int&) { return false; }
#else
  bool next(int&) { return false; }
#endif
};
template class entrain::batch::Workers<Given>;
