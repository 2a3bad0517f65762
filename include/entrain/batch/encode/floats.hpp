// text > [batch] > embed > encode > head > optim > checkpoint
//
// Features of samples that are rows of numbers: features computed elsewhere. A sample is one row of the encoder. Read
// features.hpp first, and samples.hpp for how samples come.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "entrain/batch/encode/column.hpp"
#include "entrain/batch/encode/sample.hpp"
#include "entrain/device/step.hpp"
#include "entrain/tensor/fill.hpp"

namespace entrain::batch {

/// The rows of a corpus, by their numbers. No row is compared with another.
template <int N> class FloatRows {
 public:
  std::size_t size() const { return numbers_.size() / N; }
  void clear() { numbers_.clear(); }
  void reserve(std::size_t rows) { numbers_.reserve(rows * N); }
  const float* row(std::int32_t i) const { return numbers_.data() + static_cast<std::size_t>(i) * N; }
  void push_back(std::span<const float> row) { numbers_.append(row); }
  void push_back(std::span<const double> row) {
    for (const double x : row) numbers_.push_back(static_cast<float>(x));
  }
  /// Appends the rows of another part; returns the number of its first row here.
  std::int32_t join(const FloatRows& part) {
    const auto first = static_cast<std::int32_t>(size());
    numbers_.append(part.numbers_);
    return first;
  }

 private:
  Column<float> numbers_;
};

/// Samples of N finite numbers.
template <int N> struct Floats {
  static_assert(N > 0, "entrain: batch::Floats<N> needs N >= 1, the numbers of a sample.");
  static constexpr int width = N;
  using Number = float;  // of a sample
  using Vocabulary = FloatRows<N>;
  static constexpr bool by_words = true;  // the encoder's rows are samples

  /// Rows of the encoder that a sample takes.
  static int rows_of(std::span<const std::int32_t> rows, const Vocabulary&) { return static_cast<int>(rows.size()); }

  /// Appends a sample without fault to the words of a corpus. T: float, or double
  template <class T> static void add(std::span<const T> numbers, Column<std::int32_t>& words, Vocabulary& rows) {
    words.push_back(static_cast<std::int32_t>(rows.size()));
    rows.push_back(numbers);
  }
  template <class T> static bool has_fault(std::span<const T> numbers) {
    static_assert(std::is_floating_point_v<T>, "entrain: the numbers of samples must be float or double.");
    std::uint32_t wrong = numbers.size() != N;
    for (const T x : numbers) wrong |= infinite(x);
    return wrong != 0;
  }
  template <class T> [[gnu::cold]] static SampleFault fault_of(std::span<const T> numbers) {
    if (numbers.size() != N)
      return {std::to_string(numbers.size()) + (numbers.size() == 1 ? " number" : " numbers"),
              std::to_string(N) + ", as batch::Floats<" + std::to_string(N) + ">",
              "give every sample the same number of features"};
    std::size_t i = 0;
    while (infinite(numbers[i]) == 0) ++i;
    return {(is_nan(numbers[i]) ? "NaN in column " : "an infinite number in column ") + std::to_string(i),
            "finite numbers", "replace it, or leave the sample out"};
  }

  /// A batch, as the device reads it.
  struct View {
    int count = 0;                  // rows
    const float* values = nullptr;  // [rows, N]

    /// f(pointer, numbers, Fill) for each array of a batch of `rows` rows. A padding row is zeros.
    void each_array(int rows, auto&& f) { f(values, static_cast<std::size_t>(rows) * N, Fill::with(0)); }
    /// Pads to bucket sizes, of which there are few.
    void fill(const BucketSizes& sizes) { count = sizes(count); }
  };

  /// The encoder's sizes and geometry inside a step whose rows are samples.
  static Shape inside(Shape shape, const View&) { return shape; }
  static Geometry inside(Geometry geometry, const View&) { return geometry; }
  /// The largest batch of `most` rows, for plans.
  static View planned(int most) {
    View view;
    view.count = most;
    return view;
  }

  /// The host arrays of a View. They grow to the largest batch and keep that size.
  class Buffer {
   public:
    void reserve(std::size_t capacity) { values_.reserve(capacity * N); }
    /// rows: the number of each row of the batch among those of the corpus.
    View pack(const Floats&, std::span<const std::int32_t> rows, std::span<const std::int32_t>,
              const Vocabulary& corpus) {
      if (values_.size() < rows.size() * N) values_.resize(rows.size() * N);
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(values_.data() + i * N, corpus.row(rows[i]), N * sizeof(float));
      return {static_cast<int>(rows.size()), values_.data()};
    }

   private:
    std::vector<float> values_;  // at least as long as the largest batch so far
  };

 private:
  /// Of the number as a float, by its bits: compilers may take comparisons of NaN as false.
  template <class T> static std::uint32_t bits(T x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }
  template <class T> static std::uint32_t infinite(T x) { return (bits(x) & 0x7F800000u) == 0x7F800000u; }
  template <class T> static bool is_nan(T x) { return infinite(x) != 0 && (bits(x) & 0x007FFFFFu) != 0; }
};

}  // namespace entrain::batch
