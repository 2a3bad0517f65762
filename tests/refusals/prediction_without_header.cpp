// entrain: the header with this device's matrix products is not included; kernel::Bf16Gemm and AmxGemm are in
// host only
#include "entrain/cpu.hpp"
#include "entrain/predict.hpp"
#if !defined(WRONG)
#include "entrain/cpu_transformer.hpp"
#endif
using namespace entrain;
using Model = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Tagger = predict::Tagger<Model, precision::Fp32, device::Cpu<kernel::Bf16Gemm>>;
Tagger load() { return Tagger("model"); }
