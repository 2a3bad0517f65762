// entrain: the type of this device is not the one that the trainer's precision needs; see DevicesMeet
// nvcc only
#include "entrain/cuda.cuh"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Trainer = train::Trainer<Net, precision::Tf32, device::Cuda<>, optim::AdamW>;
#if defined(WRONG)
using Device = device::Cuda<>;
#else
using Device = Trainer::Device;
#endif
void train_on(const Device& dev) { Trainer trainer(dev, Trainer::Labels({"PER"}), 8, 1); }
