// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Loads a model folder into a composition: the same composition, or one clear error; or into a new label set, which
// keeps the values that both share. Errors: see read_model in folder.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "entrain/task/stored_labels.hpp"
#include "entrain/train/folder/folder.hpp"
#include "entrain/train/loop/contract.hpp"  // IsTrainer

namespace entrain::train {

/// A folder, checked against Model. Number: the type of its values.
template <class Model, class Number> [[gnu::cold]] Stored open(const std::string& folder) {
  return read_model(folder, composition_of<Model, Number>());
}

/// A trainer that continues from a folder, with its labels. rows and seed: see Trainer.
template <class Trainer> [[gnu::cold]] Trainer load(const typename Trainer::Device& dev, const std::string& folder,
                                                    int rows, std::uint64_t seed) {
  const Stored stored = open<typename Trainer::Model, typename Trainer::Number>(folder);
  Trainer trainer(dev, task::read_labels<typename Trainer::Task>(stored.config, config_path(folder)), rows, seed);
  copy_values(stored, composition_of<typename Trainer::Model, typename Trainer::Number>(), trainer.layout(),
              reinterpret_cast<std::byte*>(trainer.values()));
  trainer.start_average();
  return trainer;
}

template <class Trainer>
Trainer load(typename Trainer::Device&& dev, const std::string& folder, int rows, std::uint64_t seed) {
  static_assert(DeviceOutlives<typename Trainer::Device>::value);
  return load<Trainer>(std::as_const(dev), folder, rows, seed);
}

/// For another type than a trainer.
template <class T>
requires(!IsTrainer<T>) T load(const auto&, const std::string&, int, std::uint64_t) {
  static_assert(
      is_trainer<T>,
      "entrain: train::load takes a trainer, as in train::load<train::Trainer<Model, precision::Fp32, "
      "device::Cpu<>, optim::AdamW>>(device, folder, rows, seed), and this type is none; predict::load<Model>(folder) "
      "predicts with a model.");
  return {};
}

/// Starts a trainer from a folder with other labels. Labels that both have keep their rows and columns, as of
/// classifier, transitions, starts and ends; new labels keep the initial values that the trainer drew.
template <class Trainer> [[gnu::cold]] Survival start_from(Trainer& trainer, const std::string& folder) {
  using Model = typename Trainer::Model;
  const Stored stored = open<Model, typename Trainer::Number>(folder);
  checkpoint::Config labels;
  task::write_labels<typename Trainer::Task>(trainer.labels(), labels);
  const Survival survival = copy_survivors(stored, composition_of<Model, typename Trainer::Number>(), trainer.layout(),
                                           labels, reinterpret_cast<std::byte*>(trainer.values()));
  trainer.start_average();
  return survival;
}

}  // namespace entrain::train
