// entrain: this device has no 'template <class T> class Buffer', zeroed memory
// entrain: this device has no upload, download and copy
// entrain: this device has no 'Replay', called as replay(device, key, work)
// entrain: this device has no 'static Device with(int threads)' that returns this type
// entrain: this device has no describe(), which returns a string
// entrain: this device has no type 'ToPredict', the device on which its models predict
// entrain: this device cannot compute in this precision
// host only
#include "tests/refusals/own_device.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Trainer = train::Trainer<Net, precision::Fp32, own::Device, optim::AdamW>;
static_assert(sizeof(Trainer) > 0);
