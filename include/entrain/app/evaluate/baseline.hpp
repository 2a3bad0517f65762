// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The baseline of a list of names: it remembers every entity of the training sentences, and at each place of a text
// finds the longest one again. A model has to beat it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/task/read_tags.hpp"
#include "entrain/task/tag_targets.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::app {

/// Entities by their words, case-sensitive. An entity seen with several types gets the most frequent one; of equally
/// frequent types, the one seen first.
class Dictionary {
 public:
  Dictionary(const task::Tagged& gold, std::string_view repair) : types_(gold.types.names()) {
    std::unordered_map<std::string, std::map<std::int32_t, std::size_t>> counts;  // by words: mentions of each type
    for (std::size_t s = 0; s < gold.corpus.sentences(); ++s)
      task::entities(gold, s, repair, [&](const text::Span& span) {
        const std::size_t first = gold.corpus.sentence[s] + span.begin;
        ++counts[words(gold.corpus, first, span.end - span.begin)][span.type];
        auto& longest = longest_[std::string(gold.corpus.token(first))];
        longest = std::max<std::size_t>(longest, span.end - span.begin);
      });
    for (const auto& [entity, of] : counts)
      type_of_[entity] = std::max_element(of.begin(), of.end(), [](const auto& a, const auto& b) {
                           return a.second < b.second;
                         })->first;
  }

  /// Calls sink(span) from left to right for sentence s; span types index types().
  template <class Sink> void find(const text::Corpus& corpus, std::size_t s, Sink&& sink) const {
    const std::size_t begin = corpus.sentence[s], end = corpus.sentence[s + 1];
    for (std::size_t i = begin; i < end;) {
      std::size_t length = 0;
      if (const auto known = longest_.find(std::string(corpus.token(i))); known != longest_.end())
        for (length = std::min(known->second, end - i); length > 0; --length)
          if (const auto entity = type_of_.find(words(corpus, i, length)); entity != type_of_.end()) {
            sink(text::Span{static_cast<std::uint32_t>(i - begin), static_cast<std::uint32_t>(i - begin + length),
                            entity->second});
            break;
          }
      i += std::max<std::size_t>(length, 1);
    }
  }

  const std::vector<std::string>& types() const { return types_; }
  std::size_t size() const { return type_of_.size(); }

 private:
  static std::string words(const text::Corpus& corpus, std::size_t first, std::size_t n) {
    std::string s;
    for (std::size_t i = first; i < first + n; ++i) s.append(corpus.token(i)).append("\n");
    return s;
  }

  std::vector<std::string> types_;
  std::unordered_map<std::string, std::int32_t> type_of_;
  std::unordered_map<std::string, std::size_t> longest_;  // by first word, in words
};

}  // namespace entrain::app
