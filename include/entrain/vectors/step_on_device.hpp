// text > batch > kernel > [vectors] > embed > train > app
//
// A step where a device reads it: in place, or copied to a device that has memory of its own.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entrain/kernel/negative_sampling/contract.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/vectors/step.hpp"
#include "entrain/vectors/subwords.hpp"

namespace entrain::vectors {

/// An array in the memory of a device, which grows to the longest that was sent.
template <class D, class T> class SentArray {
 public:
  const T* send(const D& dev, const T* from, std::size_t count) {
    if (count > buffer_.size()) buffer_ = Buffer(std::max(count, 2 * buffer_.size()));
    dev.upload(buffer_.data(), from, count);
    return buffer_.data();
  }

 private:
  using Buffer = typename D::template Buffer<T>;
  Buffer buffer_;
};

template <class D> class StepOnDevice {
 public:
  kernel::PositionGroups groups;
  CsrIndex inputs, outputs;
  const float *input_factor = nullptr, *output_factor = nullptr;

  /// The lists of rows of each word, once.
  void send(const D& dev, const Subwords& words) {
    if (words.starts() == nullptr) return;
    if constexpr (D::in_host_memory) {
      bags_ = words.starts(), bag_rows_ = words.rows();
    } else {
      bags_ = starts_of_words_.send(dev, words.starts(), words.words() + 1);
      bag_rows_ = rows_of_words_.send(dev, words.rows(), static_cast<std::size_t>(words.starts()[words.words()]));
    }
  }
  void send(const D& dev, const StepOfPositions& step) {
    groups = step.groups();
    inputs = step.inputs.index(), outputs = step.outputs.index();
    input_factor = step.inputs.factor.data(), output_factor = step.outputs.factor.data();
    groups.bags = bags_, groups.bag_rows = bag_rows_;
    if constexpr (!D::in_host_memory) {
      groups.tokens = tokens_.send(dev, step.tokens.data(), step.tokens.size());
      groups.begin = begin_.send(dev, step.begin.data(), step.begin.size());
      groups.end = end_.send(dev, step.end.data(), step.end.size());
      groups.negatives = negatives_.send(dev, step.negatives.data(), step.negatives.size());
      for (const bool of_inputs : {true, false}) {
        const RowUpdates& from = of_inputs ? step.inputs : step.outputs;
        Updates& to = updates_[of_inputs ? 0 : 1];
        CsrIndex& index = of_inputs ? inputs : outputs;
        index.ids = to.ids.send(dev, from.ids.data(), from.ids.size());
        index.starts = to.starts.send(dev, from.starts.data(), from.starts.size());
        index.items = to.items.send(dev, from.items.data(), from.items.size());
        (of_inputs ? input_factor : output_factor) = to.factor.send(dev, from.factor.data(), from.factor.size());
      }
    }
  }

 private:
  using Numbers = SentArray<D, std::int32_t>;
  struct Updates {
    Numbers ids, starts, items;
    SentArray<D, float> factor;
  };
  const std::int32_t *bags_ = nullptr, *bag_rows_ = nullptr;
  Numbers tokens_, begin_, end_, negatives_, starts_of_words_, rows_of_words_;
  Updates updates_[2];
};

}  // namespace entrain::vectors
