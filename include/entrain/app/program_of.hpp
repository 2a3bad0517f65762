// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The command-line program of a trainer type: ner.hpp and classify.hpp give it the command `predict`.
#pragma once
#include "entrain/app/evaluate/evaluate.hpp"
#include "entrain/app/program.hpp"
#include "entrain/app/train/train.hpp"
#include "entrain/core/config.hpp"    // ENTRAIN_OPTIMISED
#include "entrain/task/contract.hpp"  // is_tagging
#include "entrain/train/folder/describe.hpp"

namespace entrain::app {

/// predict   the command `predict`, which depends on the task
template <class Trainer>
[[gnu::cold]] Program program_of(const train::Options& defaults, int (*predict)(const Settings& s)) {
  using Model = typename Trainer::Model;
  Program p{.defaults = defaults,
            .optimised = ENTRAIN_OPTIMISED,
            .of_classes = !task::is_tagging<typename Trainer::Task>,
            .on_gpu = !Trainer::Device::in_host_memory,
            .composition = train::describe<Model>,
            .train = train_model<Trainer>,
            .evaluate = evaluate_model<Model, typename Trainer::Policy, typename Trainer::Device>,
            .predict = predict};
  if constexpr (requires { Trainer::Task::exclusive; }) p.many_classes = !Trainer::Task::exclusive;
#if defined(ENTRAIN_EXAMPLE_DATA)
  p.example_folder = ENTRAIN_EXAMPLE_DATA;
#endif
  return p;
}

}  // namespace entrain::app
