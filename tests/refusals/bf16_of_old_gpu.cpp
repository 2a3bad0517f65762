// entrain: this GPU does not compute in bf16, which needs device::Sm80 or newer; use precision::Fp16Mixed or
// nvcc only
#include "entrain/cuda.cuh"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#if defined(WRONG)
using Gpu = device::Cuda<device::Sm75>;
#else
using Gpu = device::Cuda<device::Sm80>;
#endif
using Trainer = train::Trainer<Net, precision::Bf16Mixed, Gpu, optim::AdamW>;
static_assert(sizeof(Trainer) > 0);
