// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Resumes a training: saves its state into the folder of its model, and restores it into a trainer. From there on every
// bit is that of a training which was never stopped. Read train/loop/fit.hpp for when a state is saved.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/checkpoint/dtype.hpp"
#include "entrain/checkpoint/sha256.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/task/stored_labels.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/train/folder/describe.hpp"
#include "entrain/train/loop/fit.hpp"

namespace entrain::train {

/// The identity of a split in a state: `60 sentences, 360 words, sha256 0123456789abcdef`, of its words and tags.
ENTRAIN_INLINE std::string identity_of(const text::Corpus& split);

/// The identity of a corpus in a state: of its numbers.
template <class Features> [[gnu::cold]] std::string identity_of(const batch::Encoded<Features>& e);

/// The settings that a training must share with a state to resume from it: everything that determines a bit of the
/// result, except the device.
///
/// corpus    identity_of the training corpus
/// more      of the caller, for example the split that scores
template <class Trainer>
[[gnu::cold]] std::vector<checkpoint::NamedText> shared(const Trainer& trainer, std::string corpus,
                                                        const Options& options,
                                                        std::vector<checkpoint::NamedText> more = {});

/// files     the files that the texts of these names describe, for messages
/// throws    entrain.train.24: one of them differs, with its name and both
ENTRAIN_INLINE void check_shared(const std::vector<checkpoint::NamedText>& stored,
                                 const std::vector<checkpoint::NamedText>& here, const std::string& where,
                                 const std::vector<checkpoint::NamedText>& files = {});

namespace detail {
/// A trainer's numbers in the host's memory.
struct NamedNumbers {
  std::string name;
  checkpoint::Dtype dtype;
  std::span<const std::byte> bytes;
};
ENTRAIN_INLINE void add_position(checkpoint::TrainingState& state, const Position& at);
ENTRAIN_INLINE Position position_of(const checkpoint::StoredTrainingState& stored);
ENTRAIN_INLINE void write_state(const std::string& folder, const checkpoint::TrainingState& state,
                                const std::vector<NamedNumbers>& numbers);
/// The bytes of a tensor in a state; they may be unaligned.
ENTRAIN_INLINE std::span<const std::byte> stored_numbers(const checkpoint::StoredTrainingState& stored,
                                                         const std::string& name, checkpoint::Dtype dtype,
                                                         std::size_t size);
}  // namespace detail

/// Writes a training's state into a folder. At every moment the folder holds the old state or the new one. The numbers
/// of a device take the same amount of host memory meanwhile.
///
/// state     what the caller adds: `same`, of shared(); in `at`, values that it needs when it resumes
/// throws    what checkpoint::save_training_state throws
template <class Trainer> [[gnu::cold]] void save_state(Trainer& trainer,
                                                       const Progress<typename Trainer::Number>& progress,
                                                       const std::string& folder, checkpoint::TrainingState state) {
  using Number = typename Trainer::Number;
  std::vector<std::vector<Number>> copies;
  std::vector<detail::NamedNumbers> list;
  const auto add = [&](std::string name, std::span<const Number> numbers) {
    list.push_back({std::move(name), checkpoint::DtypeOf<Number>::value, std::as_bytes(numbers)});
  };
  trainer.each_state([&](const std::string& name, auto& buffer) {
    if constexpr (Trainer::Device::in_host_memory) {
      add("training." + name, {buffer.data(), buffer.size()});
    } else {
      auto& copy = copies.emplace_back(buffer.size());
      trainer.device().download(copy.data(), buffer.data(), copy.size());
      add("training." + name, copy);
    }
  });
  if (!progress.best.empty()) add("best.values", progress.best);
  detail::add_position(state, progress.at);
  if constexpr (requires { trainer.loss_scale(); }) {
    const auto scale = trainer.loss_scale();
    state.at.push_back({"loss_scale", checkpoint::exact_text(scale.value)});
    state.at.push_back({"growth_tracker", checkpoint::exact_text(scale.growth_tracker)});
    state.at.push_back({"scale_skipped_steps", checkpoint::exact_text(scale.skipped_steps)});
  }
  detail::write_state(folder, state, list);
}

/// Refuses before the training what save_state would refuse later: a text that is not UTF-8, a file that cannot be
/// written or replaced.
/// throws    what checkpoint::save_training_state throws
ENTRAIN_INLINE void prove_writable(const std::string& folder, const checkpoint::TrainingState& state);

/// Restores a state into a trainer that has taken no step.
///
/// returns   where fit() resumes
/// throws    entrain.checkpoint.26, 27: the numbers are those of another trainer           .72: a text is missing
template <class Trainer>
[[gnu::cold]] Progress<typename Trainer::Number> restore(Trainer& trainer,
                                                         const checkpoint::StoredTrainingState& stored) {
  using Number = typename Trainer::Number;
  const auto numbers_of = [&](const std::string& name, std::size_t size) {
    const auto bytes = detail::stored_numbers(stored, name, checkpoint::DtypeOf<Number>::value, size);
    std::vector<Number> numbers(size);
    if (size > 0) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  };
  Progress<Number> progress{detail::position_of(stored), {}};
  if (stored.tensors.find("best.values") != nullptr) progress.best = numbers_of("best.values", trainer.layout().size);
  trainer.each_state([&](const std::string& name, auto& buffer) {
    const std::vector<Number> numbers = numbers_of("training." + name, buffer.size());
    trainer.device().upload(buffer.data(), numbers.data(), numbers.size());
  });
  if constexpr (requires { trainer.loss_scale(); })
    trainer.set_loss_scale({stored.number<float>("loss_scale"), stored.number<std::uint32_t>("growth_tracker"),
                            stored.number<std::uint32_t>("scale_skipped_steps")});
  trainer.go_on(progress.at.steps);
  return progress;
}

namespace detail {
/// Bytes, added piece by piece, and their sum.
class Identity {
 public:
  template <class T> void add(const std::vector<T>& numbers) { add(std::as_bytes(std::span(numbers))); }
  template <class T> void add(const batch::Column<T>& numbers) { add(std::as_bytes(std::span(numbers))); }
  void add(std::span<const std::byte> bytes);
  std::string words(std::size_t sentences, std::size_t words);

 private:
  checkpoint::Sha256 sum_;
};

/// The properties of a trainer that must be shared.
struct Nature {
  std::string composition;
  std::string_view loss, precision;
  std::string optimizer, schedule;  // by named_with_arguments
  bool averages;
  std::size_t trained;               // parameters
  const checkpoint::Config& labels;  // by task::write_labels
};
ENTRAIN_INLINE std::vector<checkpoint::NamedText> shared(const Nature& nature, std::string corpus,
                                                         const Options& options,
                                                         std::vector<checkpoint::NamedText> more);
}  // namespace detail

template <class Features> [[gnu::cold]] std::string identity_of(const batch::Encoded<Features>& e) {
  detail::Identity identity;
  identity.add(e.sentence);
  identity.add(e.word);
  identity.add(e.target);
  identity.add(e.rows);
  for (std::size_t w = 0; w < e.vocabulary.size(); ++w) {
    const auto& word = e.vocabulary[w];
    identity.add(std::as_bytes(std::span(word)));
  }
  return identity.words(e.sentences(), e.size());
}

template <class Trainer>
[[gnu::cold]] std::vector<checkpoint::NamedText> shared(const Trainer& trainer, std::string corpus,
                                                        const Options& options,
                                                        std::vector<checkpoint::NamedText> more) {
  checkpoint::Config labels;
  task::write_labels<typename Trainer::Task>(trainer.labels(), labels);
  return detail::shared(
      {.composition = describe<typename Trainer::Model>(),
       .loss = Trainer::Model::loss_name,
       .precision = Trainer::precision,
       .optimizer = named_with_arguments<typename optim::RuleOf<typename Trainer::OptimizerType>::type>(),
       .schedule = named_with_arguments<typename Trainer::Schedule>(),
       .averages = Trainer::averages,
       .trained = trainer.layout().gradients,
       .labels = labels},
      std::move(corpus), options, std::move(more));
}
template <class Trainer>
[[gnu::cold]] std::vector<checkpoint::NamedText> shared(const Trainer& trainer,
                                                        const batch::Encoded<typename Trainer::Features>& e,
                                                        const Options& options,
                                                        std::vector<checkpoint::NamedText> more = {}) {
  return shared(trainer, identity_of(e), options, std::move(more));
}

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/train/state/resume.ipp"
#endif
