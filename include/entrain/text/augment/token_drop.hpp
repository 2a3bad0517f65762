// [text] > batch > embed > encode > head > optim > checkpoint
//
// The augmenter that leaves out words, so that a model does not depend on a single word near an entity. Read
// text/augment/augment.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/text/augment/rate.hpp"
#include "entrain/text/corpus/draft.hpp"

namespace entrain::text {

/// Drops each word outside entities with this probability. Entities stay whole. If a sentence would become empty, one
/// word stays, chosen uniformly. If the scheme would join the entities on both sides (IO), the last word between them
/// stays.
class TokenDrop {
 public:
  static constexpr std::uint32_t kind = 0x64726F70;  // "drop"

  /// throws    entrain.text.70: rate is not in 0 to 1
  explicit TokenDrop(double rate) : rate_(probability(rate, "TokenDrop")) {}

  bool operator()(Draft& sentence, Random& random) {
    const std::size_t n = sentence.words.size();
    drawn(sentence, random);
    if (sentence.joins) keep_apart(sentence);
    std::size_t kept = 0;
    for (const bool keep : keep_) kept += keep;
    if (kept == 0 && n > 0) {
      keep_[random.below(static_cast<std::uint32_t>(n))] = true;
      kept = 1;
    }
    if (kept == n) return false;
    sentence.dropped_words += n - kept;
    leave_out(sentence);
    return true;
  }

 private:
  /// One number for each word outside entities, in their order.
  void drawn(const Draft& sentence, Random& random) {
    keep_.assign(sentence.words.size(), true);
    auto entity = sentence.entities.begin();
    for (std::uint32_t i = 0; i < sentence.words.size(); ++i) {
      while (entity != sentence.entities.end() && entity->end <= i) ++entity;
      if (entity == sentence.entities.end() || i < entity->begin) keep_[i] = random.uniform() >= rate_;
    }
  }
  void keep_apart(const Draft& sentence) {
    for (std::size_t e = 1; e < sentence.entities.size(); ++e) {
      const Span &a = sentence.entities[e - 1], &b = sentence.entities[e];
      bool any = a.type != b.type;
      for (std::uint32_t i = a.end; i < b.begin; ++i) any = any || keep_[i];
      if (!any && a.end < b.begin) keep_[b.begin - 1] = true;
    }
  }
  void leave_out(Draft& sentence) const {
    std::uint32_t kept = 0;
    auto entity = sentence.entities.begin();
    for (std::uint32_t i = 0; i < sentence.words.size(); ++i) {
      if (!keep_[i]) continue;
      if (entity != sentence.entities.end() && entity->begin == i) {
        const std::uint32_t length = entity->end - entity->begin;
        entity->begin = kept;
        entity->end = kept + length;
        ++entity;
      }
      sentence.words[kept++] = sentence.words[i];
    }
    sentence.words.resize(kept);
  }

  double rate_;
  std::vector<bool> keep_;
};

}  // namespace entrain::text
