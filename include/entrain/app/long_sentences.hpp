// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Sentences longer than a batch: each is computed alone, and takes memory by its length. Said once for a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "entrain/app/figures.hpp"
#include "entrain/app/talk.hpp"

namespace entrain::app {

class LongSentences {
 public:
  explicit LongSentences(int batch_tokens) : batch_(static_cast<std::size_t>(batch_tokens)) {}

  /// `where()`: `file:line` of the sentence.
  template <class Where> void see(std::size_t words, Where&& where) {
    if (words <= batch_) return;
    ++longer_;
    if (words > longest_) longest_ = words, where_ = where();
  }

  void warn(Talk& talk) const {
    if (longer_ > 0)
      talk.warn(where_ + ": a sentence of " + grouped(longest_) + " words; " +
                (longer_ == 1 ? "it is" : grouped(longer_) + " sentences are") + " longer than a batch of " +
                grouped(batch_) + " and " + (longer_ == 1 ? "fills" : "fill") + " one alone");
  }

 private:
  std::size_t batch_, longest_ = 0, longer_ = 0;
  std::string where_;  // the longest one
};

}  // namespace entrain::app
