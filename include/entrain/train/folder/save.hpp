// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Saves a trained model into its folder. Read load.hpp for loading.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "entrain/task/stored_labels.hpp"
#include "entrain/train/folder/folder.hpp"
#include "entrain/train/loop/options.hpp"

namespace entrain::train {

/// Writes the values that evaluation uses. At every moment the folder holds the old model or the new one.
///
/// source_files  the content kept of the folder that training started from (train/data/features.hpp)
/// about     splitters, numbers and strings for config.json; composition and labels are filled in
/// throws    what checkpoint::save throws
template <class Trainer> [[gnu::cold]] void save(Trainer& trainer, const std::string& folder, checkpoint::Config about,
                                                 const SourceFiles& source_files = {}) {
  task::write_labels<typename Trainer::Task>(trainer.labels(), about);
  write_model(folder, composition_of<typename Trainer::Model, typename Trainer::Number>(), trainer.layout(),
              reinterpret_cast<const std::byte*>(trainer.best_values()), std::move(about), source_files);
}

/// Refuses before the training what `save` would refuse after it; see prove_writable in folder.hpp.
template <class Trainer> [[gnu::cold]] void prove_writable(const Trainer& trainer, const std::string& folder,
                                                           checkpoint::Config about,
                                                           const SourceFiles& source_files = {}) {
  task::write_labels<typename Trainer::Task>(trainer.labels(), about);
  prove_writable(folder, composition_of<typename Trainer::Model, typename Trainer::Number>(), std::move(about),
                 source_files);
}

/// Stores the options of a training among the numbers of config.json.
inline void remember(checkpoint::Config& about, const Options& o) {
  about.set("seed", static_cast<std::int64_t>(o.seed));
  about.set("epochs", o.epochs);
  about.set("max_steps", static_cast<std::int64_t>(o.max_steps));
  about.set("token_budget", o.token_budget);
  about.set("batch_size", o.batch_size);
  about.set("group_by_length", int{o.group_by_length});
  about.set("compounding_start", o.compounding.start);
  about.set("compounding_stop", o.compounding.stop);
  about.set("compounding_factor", o.compounding.factor);
  about.set("gradient_accumulation_steps", o.gradient_accumulation_steps);
  about.set("learning_rate", o.learning_rate);
  about.set("head_learning_rate", o.head_learning_rate);
  about.set("layerwise_lr_decay", o.knobs.layerwise_lr_decay);
  about.set("label_smoothing_factor", o.label_smoothing_factor);
  about.set("focal_gamma", o.focal_gamma);
  about.set("lr_scheduler_type", std::string(optim::name_of(o.lr_scheduler_type)));
  about.set("warmup_steps", static_cast<std::int64_t>(o.warmup_steps));
  if (o.warmup_ratio > 0) about.set("warmup_ratio", o.warmup_ratio);
  about.set("max_grad_norm", o.max_grad_norm);
  about.set("dropout", o.dropout);
  about.set("word_dropout", o.word_dropout);
  about.set("eval_steps", static_cast<std::int64_t>(o.eval_steps));
  about.set("patience", static_cast<std::int64_t>(o.patience));
  about.set("adam_beta1", o.knobs.beta1);
  about.set("adam_beta2", o.knobs.beta2);
  about.set("adam_epsilon", o.knobs.epsilon);
  about.set("momentum", o.knobs.momentum);
  about.set("weight_decay", o.knobs.weight_decay);
  about.set("ema_decay", o.knobs.ema_decay);
}

}  // namespace entrain::train
