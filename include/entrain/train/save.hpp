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

}  // namespace entrain::train
