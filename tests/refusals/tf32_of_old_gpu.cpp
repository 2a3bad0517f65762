// entrain: this GPU does not multiply in TF32, which needs device::Sm80 or newer; use precision::Fp32 or
// nvcc only
#include "entrain/cuda.cuh"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
#if defined(WRONG)
using Gpu = device::Cuda<device::Sm75>;
#else
using Gpu = device::Cuda<device::Sm80>;
#endif
using Trainer = train::Trainer<Net, precision::Tf32, Gpu, optim::AdamW>;
static_assert(sizeof(Trainer) > 0);
