// entrain: head::Crf needs scores and sums of one type: train it in precision::Fp32, or take head::Softmax.
#include "entrain/device/plan.hpp"
#include "entrain/head/crf.hpp"
using namespace entrain;
#if defined(WRONG)
using P = precision::Bf16Mixed;
#else
using P = precision::Fp32;
#endif
static_assert(sizeof(On<head::Crf<8, text::Bio>, P, device::Plan, Needs{true, true}>::Saved) > 0);
