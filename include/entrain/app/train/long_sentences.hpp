// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Sentences longer than a batch: each is computed alone and takes memory by its length, or is tagged in parts
// (train/loop/decode_parts.hpp). One warning per file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/app/console/console.hpp"
#include "entrain/app/console/format_number.hpp"

namespace entrain::app {

class LongSentences {
 public:
  /// unit: what a batch is counted in        in_parts: such sentences are tagged in parts
  explicit LongSentences(int batch_tokens, std::string_view unit = "words", bool in_parts = false)
      : batch_(static_cast<std::size_t>(batch_tokens)), in_parts_(in_parts), unit_(unit) {}

  /// `where()`: `file:line` of the sentence.
  template <class Where> void see(std::size_t length, Where&& where) {
    if (length <= batch_) return;
    ++longer_;
    if (length > longest_) longest_ = length, where_ = where();
  }

  void warn(Console& console) const {
    if (longer_ > 0)
      console.warn(where_ + ": a sentence of " + grouped(longest_) + " " + unit_ + "; " +
                   (longer_ == 1 ? "it is" : grouped(longer_) + " sentences are") + " longer than a batch of " +
                   grouped(batch_) + " and " +
                   (in_parts_ ? (longer_ == 1 ? "is read in parts" : "are read in parts")
                              : (longer_ == 1 ? "fills a batch by itself" : "fill one batch each")));
  }

 private:
  std::size_t batch_, longest_ = 0, longer_ = 0;
  bool in_parts_;
  std::string unit_, where_;  // place of the longest one
};

}  // namespace entrain::app
