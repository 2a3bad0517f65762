// entrain: this loader has no next(Item&), which yields one batch at a time; wrap batch::Packed in
// entrain: this loader's batches are not the trainer's; see BatchesMeet<Given, Taken>:
// entrain: train::fit cannot call its on_step with (const train::StepReport&)
// entrain: train::fit cannot call its evaluate with () for a double, the score
// entrain: train::fit cannot call its on_evaluation with (std::uint32_t step, double score, bool is_best)
// host only
#include "entrain/cpu.hpp"
#include "entrain/train/loop/fit.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain;
using Net = model::Tagger<embed::MultiHash<64>, encode::MaxoutWindow<64, 2>, head::Softmax<64, text::Bio>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
#if WRONG == 1
using Loader = batch::Packed<batch::Whole<Trainer::Features>>;
#elif WRONG == 2
using Loader = batch::Prefetch<batch::Packed<batch::Whole<batch::AffixWords>>>;
#else
using Loader = batch::Prefetch<batch::Packed<batch::Whole<Trainer::Features>>>;
#endif
train::Outcome fit(Trainer& trainer, Loader& loader) {
  const auto quiet = [](const auto&...) {};
  const auto on_step = [](std::conditional_t<WRONG == 3, std::string, train::StepReport>) {};
  const auto evaluate = [] { return std::conditional_t<WRONG == 4, std::string, double>(); };
  const auto on_evaluation = [](std::uint32_t, std::conditional_t<WRONG == 5, std::string, double>, bool) {};
  return train::fit(trainer, loader, 10, {}, on_step, evaluate, on_evaluation, {}, {}, quiet);
}
