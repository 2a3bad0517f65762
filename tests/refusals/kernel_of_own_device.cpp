// entrain: no included header implements this kernel for this device
// host only
#include "tests/refusals/own_device.hpp"
#if !WRONG
template <> struct entrain::kernel::Map<own::Device> {
  template <class T, int C> static void copy(const own::Device&, Rows<const T, C>, Rows<T, C>) {}
};
#endif
void copy(const own::Device& dev, entrain::Rows<const float, 4> x, entrain::Rows<float, 4> y) {
  entrain::kernel::copy(dev, x, y);
}
