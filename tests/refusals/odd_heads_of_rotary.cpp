// entrain: rotary needs heads with an even number of channels
#include "entrain/kernel/rotary/contract.hpp"
#if defined(WRONG)
constexpr int heads = 4;
#else
constexpr int heads = 2;
#endif
using namespace entrain;
void rotate(const Step<device::Plan>& at, Rows<float, 3 * 12> qkv) {  // heads of 3 or of 6 channels
  kernel::rotary<heads>(at, 10000, qkv);
}
