// entrain: this stage has read, but no 'using Raw', the type that it reads, with a default constructor;
// entrain: this stage's read does not take Raw& and return bool, which is false at the end of the epoch;
// entrain: this stage has read, but no work(), which returns for each thread a function that builds an item,
// entrain: the function that this stage's work() returns is not callable as function(Raw&, Item&);
// entrain: this tool has begin or sample, but not both 'int begin(Raw&, Item&)' and 'sample(Raw&, Item&, int)',
#include "tests/refusals/own_stage.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
struct Tool {
#if WRONG == 4
  void operator()(std::string&, std::vector<int>&) {}
#else
  void operator()(int&, std::vector<int>&) {}
#endif
#if WRONG == 5
  std::size_t begin(int&, std::vector<int>&) { return 0; }
#else
  int begin(int&, std::vector<int>&) { return 0; }
#endif
  void sample(int&, std::vector<int>&, int) {}
};
struct Given {
  using Item = std::vector<int>;
  using Cursor = int;
#if WRONG != 1
  using Raw = int;
#endif
  void start(std::uint32_t, int) {}
  int cursor() const { return 0; }
#if WRONG == 2
  void read(int&) {}
#else
  bool read(int&) { return false; }
#endif
#if WRONG == 3
  void work() {}
#else
  Tool work() { return {}; }
#endif
};
template class entrain::batch::Workers<Given>;
