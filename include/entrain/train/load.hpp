// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A model folder back into a composition: the same one, or one clear error; or into a new label set, where what both
// know survives.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/train/describe.hpp"
#include "entrain/train/save.hpp"

namespace entrain::train {

/// A folder that was checked against Model.
template <class Model> struct Opened {
  checkpoint::Config config;
  checkpoint::Safetensors weights;
  text::Labels<typename Model::Scheme> labels;
  std::vector<std::string> notes;  // what the user should hear
};

/// throws    what checkpoint::load throws
///           entrain.train.10: no model of entrain            .11: another composition, with the first difference
///           entrain.train.12: labels that do not go together .13: a tensor that the model does not have
///           entrain.checkpoint.26, 27: a tensor is missing or has another shape
template <class Model> Opened<Model> open(const std::string& folder) {
  using Labels = text::Labels<typename Model::Scheme>;
  checkpoint::Model read = checkpoint::load(folder);
  const checkpoint::Config& config = read.config;
  const std::string where = folder + "/" + std::string(checkpoint::config_name), here = describe<Model>();
  if (config.composition.empty())
    throw Error("entrain.train.10", where, "no composition", "a model that entrain saved", "name another folder");
  if (config.composition != here) {
    const Difference d = first_difference(config.composition, here);
    throw Error("entrain.train.11", where, "a model with " + std::string(d.a), std::string(d.b) + " in this program",
                "run the program that trained it, or train again");
  }
  Labels labels(config.entity_types);
  const auto names = label_names(labels);
  if (config.scheme != Model::Scheme::name || config.labels != names)
    throw Error("entrain.train.12", where,
                std::to_string(config.labels.size()) + " labels, scheme " + config.scheme + ", " +
                    std::to_string(config.entity_types.size()) + " entity types",
                std::to_string(names.size()) + " labels, scheme " + std::string(Model::Scheme::name),
                "restore the file: labels, types and scheme belong together");
  for (const std::string& key : config.unknown_keys())
    read.notes.push_back(where + ": '" + key + "' is not understood");
  return {std::move(read.config), std::move(read.weights), std::move(labels), std::move(read.notes)};
}

/// Calls f(stored span, its bytes in the file) for every tensor of the model. `labels`: their number in the file.
/// The bytes may lie at any address: copy them.
template <class Model, class T, class F> void each_tensor(const checkpoint::Safetensors& weights, int labels, F&& f) {
  const auto stored = stored_spans<Model>(labels);
  for (const StoredSpan& s : stored) f(s, weights.at(s.span.name, checkpoint::DtypeOf<T>::value, s.shape()).bytes);
  if (weights.tensors().size() == stored.size()) return;
  for (const auto& t : weights.tensors()) {
    bool known = false;
    for (const StoredSpan& s : stored) known = known || s.span.name == t.name;
    if (!known)
      throw Error("entrain.train.13", weights.where(), "a tensor '" + std::string(t.name) + "'",
                  "the " + std::to_string(stored.size()) + " tensors of this model", "load it into its own model");
  }
}

/// The folder's values, by the layout of its own labels.
template <class Model, class T> void read_values(const Opened<Model>& opened, T* values) {
  each_tensor<Model, T>(opened.weights, opened.labels.count(),
                        [&](const StoredSpan& s, std::span<const std::byte> bytes) {
                          std::memcpy(values + s.span.offset, bytes.data(), bytes.size());
                        });
}

/// A trainer that goes on from a folder, with its labels. rows and seed: see Trainer.
template <class Trainer>
Trainer load(const typename Trainer::Device& dev, const std::string& folder, int rows, std::uint64_t seed) {
  auto opened = open<typename Trainer::Model>(folder);
  Trainer trainer(dev, opened.labels, rows, seed);
  read_values(opened, trainer.values());
  trainer.start_average();
  return trainer;
}

/// Entity types by what became of them.
struct Survival {
  std::vector<std::string> kept, fresh, dropped;
};

/// Starts a trainer from a folder with other labels: tags of a type that both know keep their rows and columns
/// (classifier, transitions, starts, ends); those of a new type keep the first values that the trainer drew.
template <class Trainer> Survival start_from(Trainer& trainer, const std::string& folder) {
  using Model = typename Trainer::Model;
  using T = typename Trainer::Number;
  const auto opened = open<Model>(folder);
  const auto &old_labels = opened.labels, &new_labels = trainer.labels();

  std::vector<std::int32_t> old_of;  // [new tag] the same tag in the folder, or -1
  for (text::Tag tag = 0; tag < new_labels.count(); ++tag)
    old_of.push_back(old_labels.find(new_labels.name(tag)).value_or(-1));
  const auto now = stored_spans<Model>(new_labels.count());
  std::size_t i = 0;
  each_tensor<Model, T>(
      opened.weights, old_labels.count(), [&](const StoredSpan& old, std::span<const std::byte> bytes) {
        const Span& to = now[i++].span;
        for (int r = 0; r < to.rows; ++r)
          for (int c = 0; c < to.cols; ++c) {
            const int from_r = old.rows_by_label ? old_of[static_cast<std::size_t>(r)] : r;
            const int from_c = old.cols_by_label ? old_of[static_cast<std::size_t>(c)] : c;
            if (from_r < 0 || from_c < 0) continue;
            const auto at = [](const Span& s, int row, int col) {
              return static_cast<std::size_t>(row) * static_cast<std::size_t>(s.cols) + static_cast<std::size_t>(col);
            };
            std::memcpy(trainer.values() + to.offset + at(to, r, c),
                        bytes.data() + at(old.span, from_r, from_c) * sizeof(T), sizeof(T));
          }
      });
  trainer.start_average();

  Survival survival;
  for (const std::string& type : new_labels.types().names())
    (old_labels.types().find(type) == text::Types::none ? survival.fresh : survival.kept).push_back(type);
  for (const std::string& type : old_labels.types().names())
    if (new_labels.types().find(type) == text::Types::none) survival.dropped.push_back(type);
  return survival;
}

}  // namespace entrain::train
