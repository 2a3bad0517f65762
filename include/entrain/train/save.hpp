// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A trained model into its folder. Read load.hpp for the way back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/train/describe.hpp"
#include "entrain/train/fit.hpp"  // Options

namespace entrain::train {

/// A span as a tensor of a file: whether its extents follow the number of tags, and its shape there.
struct StoredSpan {
  Span span;
  bool rows_by_label = false, cols_by_label = false;

  /// Biases and gains have one dimension, as everywhere else.
  std::vector<std::int64_t> shape() const {
    if (span.rows == 1 && !rows_by_label) return {span.cols};
    return {span.rows, span.cols};
  }
};

/// The tensors of a model's file, in walking order. What follows the labels is found by asking for two numbers of them.
template <class Model> std::vector<StoredSpan> stored_spans(int labels) {
  std::vector<StoredSpan> stored;
  const Layout layout = layout_of<Model>(labels), fewer = layout_of<Model>(2), more = layout_of<Model>(3);
  for (std::size_t i = 0; i < layout.spans.size(); ++i)
    stored.push_back(
        {layout.spans[i], fewer.spans[i].rows != more.spans[i].rows, fewer.spans[i].cols != more.spans[i].cols});
  return stored;
}

template <class S> std::vector<std::string> label_names(const text::Labels<S>& labels) {
  std::vector<std::string> names;
  for (text::Tag tag = 0; tag < labels.count(); ++tag) names.push_back(labels.name(tag));
  return names;
}

/// Writes the values that evaluation uses. The folder holds the old model or this one at every moment.
///
/// about     splitters, numbers and strings that config.json shall keep; composition, labels and scheme are filled in
/// throws    what checkpoint::save throws
template <class Trainer> void save(const Trainer& trainer, const std::string& folder, checkpoint::Config about) {
  using Model = typename Trainer::Model;
  about.composition = describe<Model>();
  about.labels = label_names(trainer.labels());
  about.entity_types = trainer.labels().types().names();
  about.scheme = Trainer::Scheme::name;
  const auto stored = stored_spans<Model>(trainer.labels().count());
  std::vector<checkpoint::TensorView> tensors;
  for (const StoredSpan& s : stored)
    tensors.push_back(checkpoint::view_of<typename Trainer::Number>(
        s.span.name, s.shape(), std::span(trainer.best_values() + s.span.offset, s.span.size())));
  checkpoint::save(folder, std::move(about), tensors);
}

/// Puts what a training was run with among the numbers of config.json.
inline void remember(checkpoint::Config& about, const Options& o) {
  about.set("seed", static_cast<std::int64_t>(o.seed));
  about.set("epochs", o.epochs);
  about.set("max_steps", static_cast<std::int64_t>(o.max_steps));
  about.set("token_budget", o.token_budget);
  about.set("gradient_accumulation_steps", o.gradient_accumulation_steps);
  about.set("learning_rate", o.learning_rate);
  about.set("lr_scheduler_type", std::string(optim::name_of(o.lr_scheduler_type)));
  about.set("warmup_steps", static_cast<std::int64_t>(o.warmup_steps));
  about.set("max_grad_norm", o.max_grad_norm);
  about.set("dropout", o.dropout);
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
