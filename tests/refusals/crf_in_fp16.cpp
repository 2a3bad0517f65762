// entrain: head::Crf needs scores and sums of one type: train it in precision::Fp32, or take head::Softmax.
// host only
#include "entrain/device/plan.hpp"
#include "entrain/head/crf.hpp"
using namespace entrain;
#if defined(WRONG)
using P = precision::Fp16Mixed;
#else
using P = precision::Fp32;
#endif
inline constexpr Needs whole{true, true};
using Real = On<head::Crf<8, text::Bio>, P, device::Plan, whole>;
Real::Saved saved;
