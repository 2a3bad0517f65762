// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The options of a training, and their defaults.
#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "entrain/batch/pack/batching.hpp"
#include "entrain/core/timeline.hpp"
#include "entrain/optim/rules.hpp"
#include "entrain/optim/schedule.hpp"

namespace entrain::train {

/// The user's options, by the names of Hugging Face and spaCy.
struct Options {
  std::uint64_t seed = 0;
  int epochs = 15;
  std::uint32_t max_steps = 0;  // 0: by epochs
  bool one_epoch = false;       // the training data can be read once only, so the training ends after an epoch
  int token_budget = 256;       // rows of a batch
  int batch_size = 0;           // sentences of a batch (per_device_train_batch_size); 0: as many as the budget allows
  bool group_by_length = false;
  batch::Compounding compounding;  // below those sizes, as spaCy's compounding(start, stop, factor); never above
  int gradient_accumulation_steps = 1;
  int loader_workers = 1;        // threads that pack batches ahead; 0: batches are packed between the steps
  Timeline* timeline = nullptr;  // measures how time is spent; outlives the training
  double learning_rate = 1e-3;
  double head_learning_rate = 0;  // 0: the same
  optim::Decay lr_scheduler_type = optim::Decay::constant;
  std::uint32_t warmup_steps = 0;
  double warmup_ratio = 0;  // above 0: warm-up takes this share of all steps, instead
  double max_grad_norm = 1;
  double dropout = 0.3;
  double word_dropout = 0.3;     // share of rows whose word is taken as unknown; needs batch::add_unknown_word_copies
  std::uint32_t eval_steps = 0;  // 0: after every epoch
  std::uint32_t patience = 0;    // evaluations without a better score before training stops; 0: never
  std::uint32_t save_steps = 0;  // the resume state is saved every save_steps steps; 0: at evaluations
  double save_seconds = 60;      // and not sooner than this after the last time
  bool calibrate = true;         // at the end, on the dev split, if the task can (task/contract.hpp)
  double label_smoothing_factor = 0.1;  // of a head with loss::Smoothed
  double focal_gamma = 2;               // of a head with loss::Focal
  std::vector<float> class_weights;     // one a label, of a softmax head; empty: all 1
  optim::Knobs knobs;
  /// Once it is true, the training stops after its step. Outlives the training.
  const std::atomic<bool>* stop = nullptr;

  /// Options for a pretrained encoder.
  /// source    Devlin et al. 2018, arXiv:1810.04805, appendix A.3: 5e-5 is the largest rate they try, 3 epochs their
  ///           middle
  static Options fine_tuning() {
    Options options;
    options.epochs = 3;
    options.token_budget = 1024;
    options.learning_rate = 5e-5;
    options.lr_scheduler_type = optim::Decay::linear;
    options.dropout = 0.1;
    options.word_dropout = 0;
    return options;
  }

  /// For a training of `total_steps` steps; a part of a step counts as one.
  /// source    transformers' TrainingArguments.get_warmup_steps
  std::uint32_t warmup_of(std::uint32_t total_steps) const {
    return warmup_ratio > 0 ? static_cast<std::uint32_t>(std::ceil(total_steps * warmup_ratio)) : warmup_steps;
  }

  batch::Batching batching() const { return {token_budget, batch_size, group_by_length, compounding}; }
};

/// The default options of a trainer: fine_tuning()'s if the encoder reads pieces, as pretrained encoders do, with the
/// dropout of its family; else the defaults above.
template <class Trainer> Options default_options() {
  if constexpr (Trainer::Features::by_words) {
    return {};
  } else {
    Options options = Options::fine_tuning();
    if constexpr (requires { Trainer::Model::family->dropout; })
      if (Trainer::Model::family != nullptr) options.dropout = Trainer::Model::family->dropout;
    return options;
  }
}

}  // namespace entrain::train
