// tests > [ptx]
//
// Which card it is: what its compute capability gives it.
#include "tests/ptx/card.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "tests/ptx/errors.hpp"

namespace ptx {
namespace {

constexpr Limits all_limits[] = {
    {70, 96 * kib, 96 * kib, 2048, 32},   {75, 64 * kib, 64 * kib, 1024, 16},    {80, 163 * kib, 164 * kib, 2048, 32},
    {86, 99 * kib, 100 * kib, 1536, 16},  {87, 163 * kib, 164 * kib, 1536, 16},  {89, 99 * kib, 100 * kib, 1536, 24},
    {90, 227 * kib, 228 * kib, 2048, 32}, {100, 227 * kib, 228 * kib, 2048, 32}, {120, 99 * kib, 100 * kib, 1536, 24},
};

}  // namespace

Card& Card::now() {
  static Card& card = *new Card;
  return card;
}
int Card::capability() {
  if (capability_ == 0) capability_ = asked_capability();
  return capability_;
}
const Limits& Card::limits() {
  const auto* const newer = std::find_if(std::begin(all_limits) + 1, std::end(all_limits),
                                         [&](const Limits& l) { return l.capability > capability(); });
  return *std::prev(newer);
}
int Card::asked_capability() const {
  constexpr int usual = 90;
  if (const char* const asked = std::getenv("ENTRAIN_PTX_CAPABILITY")) {
    int major = 0, minor = 0;
    if (std::sscanf(asked, "%d.%d", &major, &minor) == 2 && major >= 7 && minor >= 0 && minor <= 9)
      return 10 * major + minor;
    refuse(cudaErrorInvalidValue, "ENTRAIN_PTX_CAPABILITY is '" + std::string(asked) + "', not a number as 9.0");
    std::abort();
  }
  int newest = 0;
  for (const auto& binary : binaries)
    for (const Binary::Text& text : binary->texts) newest = std::max(newest, text.target);
  return newest == 0 ? usual : newest;
}

}  // namespace ptx
