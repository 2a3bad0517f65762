// tests > cuda > [cases]
//
// A whole trainer whose loss is scaled: steps that are skipped.
#pragma once
#include <vector>

#include "tests/cuda/cases/trainer.hpp"

namespace entrain::test {

/// fp16 whose first scale is small enough for the first step, also of a small net with large slopes.
struct Fp16Modest : precision::Fp16Mixed {
  struct Scale : precision::DynamicScale {
    static constexpr float init_scale = 256;
  };
};
/// fp16 whose first scale is too large by far: the first steps are skipped.
struct Fp16TooLarge : precision::Fp16Mixed {
  struct Scale : precision::DynamicScale {
    static constexpr float init_scale = 0x1p36f;
  };
};

/// Steps until three were not skipped: those that were changed nothing, and the three are as if they had never been.
/// The oracle, which scales nothing, says what is expected of a device that does.
template <class Net, class Optimizer> struct SkippedCase {
  using All = TrainerCase<Net, Optimizer>;

  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using P = typename S::Policy;
    using Trainer = train::Trainer<typename All::Model, P, typename S::Device, Optimizer>;
    const typename All::template Data<Trainer> data(n);
    Trainer trainer(stage.dev, data.labels, data.rows, 11);
    batch::Packer<typename All::Words> packer(data.rows);
    const auto values = [&] { return std::vector<double>(trainer.values(), trainer.values() + trainer.layout().size); };
    const auto best = [&] {
      return std::vector<double>(trainer.best_values(), trainer.best_values() + trainer.layout().size);
    };
    std::vector<double> losses, norms;
    double changed = 0, skipped = 0, halved = 0, latest_scale = 0;
    for (int good = 0; good < 3;) {
      const auto before = values(), best_before = best();
      data.step(trainer, packer, 0);
      const optim::StepResult r = trainer.result();
      halved += r.skipped && latest_scale != 0 && r.loss_scale != latest_scale / 2;
      latest_scale = r.loss_scale;
      if (r.skipped) {
        ++skipped;
        changed += before != values() || best_before != best();
      } else {
        ++good;
        losses.push_back(r.loss);
        norms.push_back(r.grad_norm);
      }
    }
    stage.results.push_back({"losses", losses});
    stage.results.push_back({"norms", norms});
    stage.results.push_back({"values", values()});
    stage.results.push_back({"best values", best()});
    stage.results.push_back({"skipped steps that changed a value, or did not halve the scale", {changed, halved}});
    std::vector<double> state{1, 1, 1, 1, 4};
    if constexpr (P::Scale::dynamic) {
      const kernel::LossScale now = trainer.loss_scale();
      Trainer other(stage.dev, data.labels, data.rows, 11);
      other.set_loss_scale({4, 7, 0});
      data.step(other, packer, 0);
      state = {double(skipped > 4), double(now.skipped_steps == skipped), double(now.growth_tracker == 3),
               double(static_cast<double>(now.value) == latest_scale), other.result().loss_scale};
    }
    stage.results.push_back({"state", state});
  }
};

}  // namespace entrain::test
