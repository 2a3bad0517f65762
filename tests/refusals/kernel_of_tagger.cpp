// entrain: no included header implements this kernel for this device: include entrain/cpu.hpp, or for a GPU
// host only
#include "entrain/device/cpu.hpp"
#include "entrain/layer/layer_norm.hpp"
#if !defined(WRONG)
#include "entrain/kernel/layer_norm/cpu.hpp"
#endif
using namespace entrain;
using Layer = layer::LayerNorm<8>;
using Real = Impl<Layer, precision::Fp32, device::Cpu<>>;
void forward(const Step<device::Cpu<>>& at, const Layer::Weights<const float>& w, Real::Saved& saved) {
  Real::forward(at, w, {nullptr, 8}, {nullptr, 8}, saved);
}
