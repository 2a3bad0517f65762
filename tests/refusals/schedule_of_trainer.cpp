// entrain: this schedule is not constructible from (const optim::Schedule&), the options for the learning rate;
// host only
#include "entrain/cpu.hpp"
using namespace entrain;
struct Half {
  static constexpr std::string_view name = "half";
#if !defined(WRONG)
  explicit Half(const optim::Schedule&) {}
#endif
  double operator()(std::uint32_t) const { return 0.5; }
};
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::Scheduled<optim::AdamW, Half>>;
static_assert(sizeof(Trainer) > 0);
