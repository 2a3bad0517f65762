// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What is known before step one, in words: where it runs, what is learned, how long, and what it costs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "entrain/app/machine.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/report/number.hpp"
#include "entrain/train/describe.hpp"
#include "entrain/train/fit.hpp"

namespace entrain::app {

/// 1.2 MiB
inline std::string mebibytes(std::size_t bytes) {
  return std::string(report::fixed(static_cast<double>(bytes) / (1 << 20), 1).view()) + " MiB";
}
inline std::string grouped(std::size_t n) { return std::string(report::grouped(static_cast<std::int64_t>(n)).view()); }

/// The device, its threads, and the instruction set.
template <class Trainer> void say_device(const typename Trainer::Device& dev, Talk& talk) {
  const std::string has = processor_has();
  talk.fact("device", std::string(Trainer::Device::name) + ", " + std::to_string(dev.threads()) +
                          (dev.threads() == 1 ? " thread, " : " threads, ") + std::string(Trainer::precision) +
                          "; compiled for " + compiled_for() + (has.empty() ? "" : ", the processor has " + has));
}

/// Labels, parameters, steps, memory and work.
template <class Trainer>
void say_plan(const Trainer& trainer, const train::Options& options, std::uint32_t steps, Talk& talk) {
  const auto& labels = trainer.labels();
  std::string names;
  for (const std::string& type : labels.types().names()) names.append(names.empty() ? "" : ", ").append(type);
  talk.fact("labels", grouped(static_cast<std::size_t>(labels.count())) + " in " + std::string(Trainer::Scheme::name) +
                          (names.empty() ? ": O alone" : ", of " + names));
  talk.fact("model", train::describe<typename Trainer::Model>());
  talk.fact("parameters", grouped(trainer.parameters()));
  talk.fact("steps", grouped(steps) + " optimisation steps of at most " +
                         grouped(static_cast<std::size_t>(options.token_budget)) + " words x " +
                         std::to_string(options.gradient_accumulation_steps) + ", " + std::string(Trainer::optimizer) +
                         ", seed " + std::to_string(options.seed));
  const std::size_t values = trainer.layout().size * sizeof(typename Trainer::Number);
  const std::size_t moments = trainer.planned_bytes() - 2 * values - trainer.cost().arena;
  talk.fact("memory", "arena " + mebibytes(trainer.cost().arena) + " for " +
                          grouped(static_cast<std::size_t>(trainer.rows())) + " words (" +
                          mebibytes(trainer.cost().saved) + " kept for backward), values " + mebibytes(values) +
                          ", gradients " + mebibytes(values) + ", moments " + mebibytes(moments) + "; together " +
                          mebibytes(trainer.planned_bytes()));
  talk.fact("work", std::string(report::scaled(trainer.cost().flops).view()) +
                        "FLOP for such a batch, forward and backward, in " + std::to_string(trainer.cost().verbs) +
                        " verbs");
}

}  // namespace entrain::app
