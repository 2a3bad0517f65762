// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that checks samples of numbers and puts them together: chunks that a program makes, or rows of NumPy's
// files. Read samples.hpp first; batch/pipeline/stage.hpp defines a stage.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/samples.hpp"
#include "entrain/batch/numpy/npy.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

namespace detail {
template <class Item> inline constexpr bool is_samples = false;
template <class Number> inline constexpr bool is_samples<std::vector<Sample<Number>>> = true;
template <class T, class Label> inline constexpr bool is_samples<NpyRows<T, Label>> = true;
}  // namespace detail

/// S: gives std::vector<Sample<Number>> at a time, as EachSample does, or NpyRows with or without labels, as Npy does.
///
///   batch::EncodeSamples<Trainer::Features, Trainer::Task, batch::Npy<std::int64_t, std::int64_t>>
template <class Features, class Task, class S> class EncodeSamples {
  static_assert(AreFeatures<Features>::value);
  static_assert(TakesNumbers<Features>::value);
  using From = InParts<S>;
  using Given = typename From::Item;
  static_assert(
      detail::is_samples<Given>,
      "entrain: EncodeSamples<Features, Task, S> needs S to yield std::vector<batch::Sample<Number>>, or rows "
      "of batch::Npy; Chunked<S> builds chunks from a stage that yields samples.");

 public:
  using Labels = typename Task::Labels;
  using Raw = typename From::Raw;
  using Item = EncodedBlock<Features>;
  using Cursor = typename From::Cursor;

  EncodeSamples(Labels labels, S from) : labels_(std::move(labels)), from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() { return from_.cursor(); }
  static constexpr std::string_view name = "encode";
  bool read(Raw& raw, Lane* lane = nullptr) { return read_from(from_, raw, lane); }

  class Work {
   public:
    explicit Work(EncodeSamples& of) : labels_(&of.labels_), inner_(of.from_.work()) {}
    void operator()(Raw& raw, Item& item, Lane* lane = nullptr) {
      work_by<From>(inner_, raw, given_, lane);
      item.sentences.clear();
      add(given_, item.sentences);
    }

   private:
    template <class Number> void add(const std::vector<Sample<Number>>& chunk, Encoded<Features>& to) const {
      for (const auto& sample : chunk) {
        const auto where = [&] { return "sample " + std::to_string(sample.number); };
        add_sample(to, std::span(sample.numbers), where);
        add_target<Task>(to, sample.label, *labels_, where);
      }
    }
    template <class T, class Label> void add(const NpyRows<T, Label>& rows, Encoded<Features>& to) const {
      for (std::size_t i = 0; i < rows.rows; ++i) {
        const auto where = [&] { return rows.name + ": row " + std::to_string(rows.first + i); };
        add_sample(to, std::span<const T>(rows.values).subspan(i * rows.columns, rows.columns), where);
        if constexpr (std::is_void_v<Label>) {
          to.target.push_back(Encoded<Features>::ignored);
        } else {
          add_target<Task>(to, static_cast<std::int64_t>(rows.labels[i]), *labels_, where);
        }
      }
    }

    const Labels* labels_;
    decltype(std::declval<From&>().work()) inner_;
    Given given_;
  };
  Work work() { return Work(*this); }

 private:
  Labels labels_;
  From from_;
};

}  // namespace entrain::batch
