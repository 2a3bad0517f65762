// text > [batch] > embed > encode > head > optim > checkpoint
//
// Samples that are numbers, as a corpus in memory. Each is checked once, where it comes in. encode_samples.hpp has the
// stage for samples that are made or read during the training.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/sample.hpp"
#include "entrain/core/error.hpp"
#include "entrain/tensor/targets.hpp"

namespace entrain::batch {

/// `static_assert(TakesNumbers<F>::value);` does not compile for features of words: it is for features of samples that
/// are numbers, with `using Number` (ids.hpp, floats.hpp).
template <class F> inline constexpr bool takes_numbers = requires { typename F::Number; };
template <class F, bool Takes = takes_numbers<F>> struct TakesNumbers {
  static constexpr bool value = true;
  static_assert(Takes,
                "entrain: these features are of words and not of numbers; see TakesNumbers<F>: use batch::Encode, or a "
                "model with embed::Token or embed::Floats.");
};

namespace detail {
[[noreturn, gnu::cold]] inline void refuse_sample(const std::string& where, const SampleFault& fault) {
  throw Error("entrain.batch.50", where, fault.found, fault.expected, fault.remedy);
}
[[noreturn, gnu::cold]] inline void refuse_label(const std::string& where, std::int64_t label, int most) {
  throw Error("entrain.batch.51", where, "label " + std::to_string(label),
              "labels from 0 to " + std::to_string(most - 1), "number the classes from 0, or name more of them");
}
}  // namespace detail

/// Appends a sample, without its target.
///
/// where     where() is the sample's place, for the message
/// throws    entrain.batch.50: no ids, an id outside the table; another number of numbers, NaN, an infinite number
template <class Features, class Number, class Where>
void add_sample(Encoded<Features>& e, std::span<const Number> numbers, Where&& where) {
  static_assert(TakesNumbers<Features>::value);
  if (Features::has_fault(numbers)) [[unlikely]]
    detail::refuse_sample(where(), Features::fault_of(numbers));
  const std::size_t before = e.word.size();
  Features::add(numbers, e.word, e.vocabulary);
  if (e.word.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) [[unlikely]]
    detail::refuse_sample(where(), {"more than 2147483647 rows in memory", "fewer", "read the samples from files"});
  e.sentence.push_back(static_cast<std::uint32_t>(e.word.size()));
  e.rows.push_back(static_cast<std::int32_t>(e.word.size() - before));
}

/// Appends the target of the latest sample. A label of no_target<std::int32_t>(), -100, is none, as in torch.
///
/// Task      has numbers_of(labels), which labels are below, and target_of_number(label)
/// throws    entrain.batch.51: a label outside
template <class Task, class Features, class Labels, class Where>
void add_target(Encoded<Features>& e, std::int64_t label, const Labels& labels, Where&& where) {
  const int most = Task::numbers_of(labels);
  if (0 <= label && label < most) {
    e.target.push_back(Task::target_of_number(static_cast<std::int32_t>(label)));
  } else if (label == no_target<std::int32_t>()) {
    e.target.push_back(no_target<typename Encoded<Features>::Target>());
  } else {
    detail::refuse_label(where(), label, most);
  }
}

/// Samples made in the program, all at once.
///
///   const auto e = batch::encode_samples<Trainer::Features, Trainer::Task>(samples, trainer.labels());
///
/// samples   a range of Sample, whose places are those in the range
/// throws    as add_sample and add_target
template <class Features, class Task, class Samples, class Labels>
Encoded<Features> encode_samples(const Samples& samples, const Labels& labels) {
  Encoded<Features> e;
  std::size_t number = 0;
  const auto where = [&] { return "sample " + std::to_string(number); };
  for (const auto& sample : samples) {
    add_sample(e, std::span(sample.numbers), where);
    add_target<Task>(e, sample.label, labels, where);
    ++number;
  }
  return e;
}

}  // namespace entrain::batch
