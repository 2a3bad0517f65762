// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A training that was stopped goes on: its state into the folder of its model, and back into a trainer. From there on
// every bit is that of a training which was never stopped. Read fit.hpp for when a state is kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/encoded.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/train/data.hpp"
#include "entrain/train/describe.hpp"
#include "entrain/train/fit.hpp"

namespace entrain::train {

/// A split as a state names it: `60 sentences, 360 words, sha256 0123456789abcdef`, of its words and tags.
ENTRAIN_PART std::string identity_of(const Tagged& split);

/// What a training must share to go on from a state: all that decides a bit of what follows, but for the device.
///
/// more      of the caller: the split that scores, say
template <class Trainer>
[[gnu::cold]] std::vector<checkpoint::NamedText> shared(const Trainer& trainer,
                                                        const batch::Encoded<typename Trainer::Features>& e,
                                                        const Options& options,
                                                        std::vector<checkpoint::NamedText> more = {});

/// throws    entrain.train.24: one of them differs, with its name and both
ENTRAIN_PART void check_shared(const std::vector<checkpoint::NamedText>& stored,
                               const std::vector<checkpoint::NamedText>& here, const std::string& where);

/// Writes a training's state into a folder, which holds the old one or this one at every moment. A device's numbers
/// take as much memory of the host again.
///
/// state     what the caller adds: `same`, of shared(); to `at` whatever it wants to find again
/// throws    what checkpoint::save_training_state throws
template <class Trainer> [[gnu::cold]] void save_state(Trainer& trainer,
                                                       const Progress<typename Trainer::Number>& progress,
                                                       const std::string& folder, checkpoint::TrainingState state) {
  using Number = typename Trainer::Number;
  using checkpoint::TensorView;
  const auto& dev = trainer.device();
  std::vector<std::vector<Number>> copies;
  std::vector<std::string> names;
  std::vector<std::span<const Number>> numbers;
  trainer.each_state([&](const std::string& name, auto& buffer) {
    names.push_back("training." + name);
    if constexpr (Trainer::Device::in_host_memory) {
      numbers.emplace_back(buffer.data(), buffer.size());
    } else {
      auto& copy = copies.emplace_back(buffer.size());
      dev.download(copy.data(), buffer.data(), copy.size());
      numbers.emplace_back(copy);
    }
  });
  if (!progress.best.empty()) names.push_back("best.values"), numbers.emplace_back(progress.best);
  std::vector<TensorView> tensors;
  for (std::size_t i = 0; i < names.size(); ++i)
    tensors.push_back(
        checkpoint::view_of<Number>(names[i], {static_cast<std::int64_t>(numbers[i].size())}, numbers[i]));
  const auto put = [&](std::string name, auto number) {
    state.at.push_back({std::move(name), checkpoint::exact_text(number)});
  };
  Position::each(progress.at, put);
  if constexpr (requires { trainer.loss_scale(); }) {
    const auto scale = trainer.loss_scale();
    put("loss_scale", scale.value);
    put("growth_tracker", scale.growth_tracker);
    put("scale_skipped_steps", scale.skipped_steps);
  }
  checkpoint::save_training_state(folder, state, tensors);
}

/// Puts a state into a trainer that has taken no step yet.
///
/// returns   from where fit() goes on
/// throws    entrain.checkpoint.26, 27: the numbers are those of another trainer           .72: a text is missing
template <class Trainer>
[[gnu::cold]] Progress<typename Trainer::Number> restore(Trainer& trainer,
                                                         const checkpoint::StoredTrainingState& stored) {
  using Number = typename Trainer::Number;
  const auto numbers_of = [&](std::string_view name, std::size_t size) {
    const auto& tensor = stored.tensors.at(name, checkpoint::DtypeOf<Number>::value, {static_cast<std::int64_t>(size)});
    std::vector<Number> numbers(size);  // in the file they need not be aligned
    if (size > 0) std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
    return numbers;
  };
  Progress<Number> progress;
  Position::each(progress.at, [&](const char* name, auto& number) {
    number = stored.number<std::remove_reference_t<decltype(number)>>(name);
  });
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
/// The options among them, by the names of config.json.
ENTRAIN_PART void add_options(std::vector<checkpoint::NamedText>& list, const Options& options);

/// Bytes added one after the other, and their sum.
class Identity {
 public:
  template <class T> void add(const std::vector<T>& numbers) { add(std::as_bytes(std::span(numbers))); }
  void add(std::span<const std::byte> bytes) {
    const std::uint64_t size = bytes.size();  // what is cut elsewhere is another list
    sum_.add(std::as_bytes(std::span(&size, 1)));
    sum_.add(bytes);
  }
  std::string words(std::size_t sentences, std::size_t words) {
    return std::to_string(sentences) + " sentences, " + std::to_string(words) + " words, sha256 " +
           sum_.hex().substr(0, 16);
  }

 private:
  checkpoint::Sha256 sum_;
};
}  // namespace detail

template <class Trainer>
[[gnu::cold]] std::vector<checkpoint::NamedText> shared(const Trainer& trainer,
                                                        const batch::Encoded<typename Trainer::Features>& e,
                                                        const Options& options,
                                                        std::vector<checkpoint::NamedText> more) {
  std::vector<checkpoint::NamedText> list;
  list.push_back({"composition", describe<typename Trainer::Model>()});
  list.push_back({"loss", std::string(Trainer::Model::loss_name)});
  list.push_back({"trained parameters", std::to_string(trainer.layout().gradients)});
  std::string types;
  for (const std::string& type : trainer.labels().types().names()) types.append(types.empty() ? "" : ", ").append(type);
  list.push_back({"entity types", types});
  list.push_back({"precision", std::string(Trainer::precision)});
  list.push_back({"optimizer", std::string(Trainer::optimizer) + (Trainer::averages ? " and an average" : "")});
  detail::Identity corpus;
  corpus.add(e.sentence);
  corpus.add(e.word);
  corpus.add(e.target);
  corpus.add(e.rows);
  for (std::size_t w = 0; w < e.vocabulary.size(); ++w) {
    const auto& word = e.vocabulary[w];
    corpus.add(std::as_bytes(std::span(word)));
  }
  list.push_back({"training file", corpus.words(e.sentences(), e.size())});
  detail::add_options(list, options);
  for (auto& one : more) list.push_back(std::move(one));
  return list;
}

}  // namespace entrain::train

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/train/resume.ipp"
#endif
