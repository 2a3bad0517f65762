// entrain: a composition's description does not list all template arguments of this type, so two
#include <string>

#include "entrain/train/folder/describe.hpp"

struct Channels {
  int of;
};
template <Channels C, bool Shared> struct Head {
#if !defined(WRONG)
  static std::string describe() { return "Head<" + std::to_string(C.of) + (Shared ? ", shared>" : ">"); }
#endif
};
const std::string words = entrain::train::describe<Head<Channels{4}, true>>();
