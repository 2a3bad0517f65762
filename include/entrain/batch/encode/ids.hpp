// text > [batch] > embed > encode > head > optim > checkpoint
//
// Features of samples that are rows of ids already: no words, no tokenizer. The packer sorts the ids of a batch, so
// that the gradient of a table costs what the batch touches. Read features.hpp first, and samples.hpp for how samples
// come.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "entrain/batch/encode/column.hpp"
#include "entrain/batch/encode/sample.hpp"
#include "entrain/batch/encode/sorted.hpp"
#include "entrain/device/step.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/tensor/fill.hpp"

namespace entrain::batch {

/// The words of a corpus of ids: each id is its own word, and nothing is stored.
template <int V> struct IdVocabulary {
  static constexpr std::size_t size() { return V; }
  static constexpr void clear() {}
  /// The words of another part have the same numbers here.
  static constexpr std::int32_t join(const IdVocabulary&) { return 0; }
};

/// Samples of one or more ids in [0, V). They may have different lengths; no sample is padded.
template <int V> struct Ids {
  static_assert(V > 0, "entrain: batch::Ids<V> needs V >= 1, the number of ids.");
  static constexpr int values = V;
  using Number = std::int32_t;  // of a sample
  using Vocabulary = IdVocabulary<V>;
  static constexpr bool by_words = true;  // the encoder's rows are ids

  /// Rows of the encoder that a sample takes.
  static int rows_of(std::span<const std::int32_t> ids, const Vocabulary&) { return static_cast<int>(ids.size()); }

  /// Appends a sample without fault to the words of a corpus. N: any type of whole numbers
  template <class N> static void add(std::span<const N> ids, Column<std::int32_t>& words, Vocabulary&) {
    if constexpr (std::is_same_v<N, Number>) {
      words.append(ids);
    } else {
      for (const N id : ids) words.push_back(static_cast<std::int32_t>(id));
    }
  }
  template <class N> static bool has_fault(std::span<const N> ids) {
    static_assert(std::is_integral_v<N>, "entrain: the ids of samples must be whole numbers, as std::int32_t.");
    bool wrong = ids.empty();
    for (const N id : ids) wrong |= !(std::cmp_greater_equal(id, 0) && std::cmp_less(id, V));
    return wrong;
  }
  template <class N> [[gnu::cold]] static SampleFault fault_of(std::span<const N> ids) {
    if (ids.empty()) return {"no ids", "at least one id", "leave the sample out"};
    std::size_t i = 0;
    while (std::cmp_greater_equal(ids[i], 0) && std::cmp_less(ids[i], V)) ++i;
    return {"id " + std::to_string(ids[i]) + " in column " + std::to_string(i),
            "ids from 0 to " + std::to_string(V - 1) + ", as batch::Ids<" + std::to_string(V) + ">",
            "raise the number of ids in the type, or map rare ids to one id"};
  }

  /// A batch, as the device reads it.
  struct View {
    int count = 0;                      // rows
    const std::int32_t* ids = nullptr;  // [rows]
    CsrIndex touched;                   // id -> rows

    /// f(pointer, numbers, Fill) for each array of a batch of `rows` rows. A padding row is id 0, and adds nothing to
    /// its gradient.
    void each_array(int rows, auto&& f) {
      f(ids, static_cast<std::size_t>(rows), Fill::with(0));
      touched.each_array(f);
    }
    /// Pads to bucket sizes, of which there are few.
    void fill(const BucketSizes& sizes) {
      count = sizes(count);
      touched.fill(count, V);
    }
  };

  /// The encoder's sizes and geometry inside a step whose rows are ids.
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
    void reserve(std::size_t capacity) { touched_.reserve(capacity, V); }
    /// ids: of each row of the batch; the View reads them in place.
    View pack(const Ids&, std::span<const std::int32_t> ids, std::span<const std::int32_t>, const Vocabulary&) {
      return {static_cast<int>(ids.size()), ids.data(),
              touched_.sort(ids.size(), V, [ids](std::size_t i) { return ids[i]; })};
    }

   private:
    Sorted touched_;
  };
};

}  // namespace entrain::batch
