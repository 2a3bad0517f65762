// [text] > batch > embed > encode > head > optim > checkpoint
//
// The augmenter that replaces entities of a sentence by others, so that a model uses their context and does not
// memorize names. Read augment.hpp and entity_table.hpp first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/text/augment/entity_table.hpp"
#include "entrain/text/augment/rate.hpp"
#include "entrain/text/corpus/draft.hpp"

namespace entrain::text {

/// Replaces each entity, with this probability, by another one of its type from the table, whatever its length.
/// source    "mention replacement" of Dai, Adel 2020, arXiv:2010.11683, section 3
class EntitySwap {
 public:
  static constexpr std::uint32_t kind = 0x73776170;  // "swap"

  /// throws    entrain.text.70: rate is not in 0 to 1
  EntitySwap(std::shared_ptr<const EntityTable> table, double rate)
      : table_(std::move(table)), rate_(probability(rate, "EntitySwap")) {}

  bool operator()(Draft& sentence, Random& random) {
    const std::uint64_t before = sentence.swapped_entities;
    words_.clear();
    std::uint32_t done = 0;  // words of the sentence that are already in words_ or replaced
    for (Span& entity : sentence.entities) {
      const EntityTable::Mention* other = nullptr;
      if (random.uniform() < rate_) other = table_->another(sentence.types.name(entity.type), sentence, entity, random);
      take(sentence, done, entity.begin);
      const auto begin = static_cast<std::uint32_t>(words_.size());
      if (other) {
        for (std::uint32_t i = 0; i < other->size(); ++i)
          words_.push_back({(*other)[i], sentence.words[std::min(entity.begin + i, entity.end - 1)].line});
        ++sentence.swapped_entities;
      } else {
        take(sentence, entity.begin, entity.end);
      }
      done = entity.end;
      entity.begin = begin;
      entity.end = static_cast<std::uint32_t>(words_.size());
    }
    if (sentence.swapped_entities == before) return false;
    take(sentence, done, static_cast<std::uint32_t>(sentence.words.size()));
    std::swap(sentence.words, words_);
    return true;
  }

 private:
  void take(const Draft& sentence, std::uint32_t first, std::uint32_t end) {
    words_.insert(words_.end(), sentence.words.begin() + first, sentence.words.begin() + end);
  }

  std::shared_ptr<const EntityTable> table_;
  double rate_;
  std::vector<Draft::Word> words_;
};

}  // namespace entrain::text
