// entrain: a composition's description does not list all template arguments of this type, so two
#include <string>

#include "entrain/optim/rules.hpp"
#include "entrain/train/folder/describe.hpp"

template <bool Sign> struct Own : entrain::optim::AdamW {
  static constexpr std::string_view name = "own";
#if !defined(WRONG)
  static std::string describe() { return Sign ? "Own<true>" : "Own<false>"; }
#endif
};
const std::string state = entrain::train::named_with_arguments<Own<true>>();
