// entrain: this optimizer has no 'static constexpr int moments', the number of values it stores per parameter,
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
struct Own {
  static constexpr std::string_view name = "own";
#if !defined(WRONG)
  static constexpr int moments = 1;
#endif
  template <class T> using Rule = optim::Sgd::Rule<T>;
};
static_assert(sizeof(train::Trainer<Net, precision::Fp32, device::Cpu<>, Own>) > 0);
