// tests > [cuda_on_cpu]
//
// A training on the GPU is stopped between two steps, and resumes to the same bits: rows that wait, copies of values in
// 16 bits, the loss scale.
#include "entrain/train/state/resume.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/cuda.cuh"
#include "tests/cuda/cases/skipped.hpp"
#include "tests/scratch.hpp"

namespace resume_test {
namespace batch = entrain::batch;
namespace checkpoint = entrain::checkpoint;
namespace device = entrain::device;
namespace optim = entrain::optim;
namespace precision = entrain::precision;
namespace train = entrain::train;
namespace cases = entrain::test;

namespace {

/// Steps of a training as bits: losses, norms, scales, values, the average, tags.
template <class P, class Net, class Optimizer> void same_bits_after_each_step(std::uint32_t steps) {
  using Case = cases::TrainerCase<Net, Optimizer>;
  using Trainer = train::Trainer<typename Case::Model, P, device::Cuda<>, Optimizer>;
  const typename Trainer::Device dev;
  typename Case::template Data<Trainer> data(9);
  struct Seen {
    std::vector<double> told;
    std::vector<float> values, best;
    std::vector<std::int32_t> tags;
  };
  const auto go = [&](const std::string& folder, std::uint32_t stop, bool resumes) {
    Trainer trainer(dev, data.labels, data.rows, 11);
    batch::Packer<typename Case::Words> packer(data.rows);
    train::Progress<float> progress;
    if (resumes) progress = train::restore(trainer, checkpoint::load_training_state(folder));
    Seen seen;
    const auto tell = [&](const optim::StepResult& r) {
      for (const double x : {static_cast<double>(r.step), r.loss, r.grad_norm, r.loss_scale, double(r.skipped)})
        seen.told.push_back(std::isnan(x) ? -1 : x);  // of a step that is skipped
    };
    while (trainer.steps() < steps) {
      data.step(trainer, packer, 0.2f);
      trainer.results(tell);
      if (trainer.steps() == stop) {
        trainer.results(tell, optim::Wait::for_all);
        progress.at.steps = stop;
        train::save_state(trainer, progress, folder, {});
        return seen;
      }
    }
    trainer.results(tell, optim::Wait::for_all);
    seen.values.assign(trainer.values(), trainer.values() + trainer.layout().size);
    seen.best.assign(trainer.best_values(), trainer.best_values() + trainer.layout().size);
    seen.tags.resize(data.encoded.word.size());
    trainer.decode(packer.pack(data.encoded, data.order, data.labels.count()), seen.tags.data());
    return seen;
  };
  const Seen whole = go("", 0, false);
  for (std::uint32_t stop = 1; stop < steps; stop += 3) {
    CAPTURE(stop);
    const ::test::Scratch folder;
    Seen parts = go(folder.path(), stop, false);
    const Seen rest = go(folder.path(), 0, true);
    parts.told.insert(parts.told.end(), rest.told.begin(), rest.told.end());
    CHECK(parts.told == whole.told);
    CHECK(rest.values == whole.values);
    CHECK(rest.best == whole.best);
    CHECK(rest.tags == whole.tags);
  }
}

}  // namespace

TEST_CASE("a trainer on the GPU resumes to the same bits, also while steps are skipped") {
  using Waiting = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
  same_bits_after_each_step<precision::Fp32, cases::LightTagger, Waiting>(6);
  same_bits_after_each_step<cases::Fp16TooLarge, cases::LightTagger, Waiting>(30);
  same_bits_after_each_step<cases::Fp16TooLarge, cases::LightTagger, optim::AdamW>(30);
  same_bits_after_each_step<precision::Bf16Mixed, cases::LightTagger, optim::LazyUpdate<optim::AdamW>>(6);
}

}  // namespace resume_test
