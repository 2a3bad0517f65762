// entrain: predict::load takes a model, as in predict::load<model::Tagger<...>>(folder), and this type is a trainer
// entrain: predict::PredictorOf and predict::TaggerOf take a trainer, and this type is none
// entrain: predict::PredictorOf and predict::TaggerOf take a trainer, and this type is none
// entrain: train::load takes a trainer, as in train::load<train::Trainer<Model,
// entrain: this type is not a model, as predict::Predictor takes; for a trainer it is predict::PredictorOf<Trainer>
// host only
#include "entrain/cpu.hpp"
#include "entrain/predict.hpp"
#include "entrain/train/folder/load.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
#if WRONG == 1
auto load() { return predict::load<Trainer>("folder"); }
#elif WRONG == 2
auto load() { return predict::TaggerOf<Net>("folder"); }
#elif WRONG == 3
auto load() { return predict::PredictorOf<Net>("folder"); }
#elif WRONG == 4
auto load(const device::Cpu<>& cpu) { return train::load<Net>(cpu, "folder", 64, 1); }
#elif WRONG == 5
auto load() { return predict::Predictor<Trainer>("folder"); }
#else
auto load() { return predict::load<Net>("folder"); }
auto tagger() { return predict::TaggerOf<Trainer>("folder"); }
auto continued(const device::Cpu<>& cpu) { return train::load<Trainer>(cpu, "folder", 64, 1); }
#endif
