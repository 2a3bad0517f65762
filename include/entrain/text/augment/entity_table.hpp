// [text] > batch > embed > encode > head > optim > checkpoint
//
// The distinct entities of a corpus by type, for random draws. Read text/corpus/draft.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/draft.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::text {

/// Collected before the first epoch, so that draws do not depend on how a corpus is split into blocks.
class EntityTable {
 public:
  using Mention = std::vector<std::string>;  // the words of an entity

  /// limit: how many distinct entities of a type are kept, in order of first occurrence, so that memory is bounded
  explicit EntityTable(std::size_t limit = 50'000) : limit_(limit) {}

  /// Reading: how the tags are read (text/tags/reading.hpp).
  template <class Reading> void add(const Corpus& corpus, const Reading& reading) {
    DraftReader<Reading> reader(reading);
    reader.open(corpus, types_);
    for (std::size_t s = 0; s < corpus.sentences(); ++s)
      reader.entities(corpus, s, [&](const Span& e) {
        add(e, [&](std::uint32_t i) { return corpus.token(corpus.sentence[s] + i); });
      });
  }

  const Types& types() const { return types_; }
  /// The number of entities of a type.
  std::size_t size(std::string_view type) const {
    const auto t = types_.find(type);
    return t == Types::none || static_cast<std::size_t>(t) >= known_.size() ? 0 : of(t).mentions.size();
  }

  /// f(mention) for each entity of all types.
  template <class F> void each(F&& f) const {
    for (const Known& known : known_)
      for (const Mention& mention : known.mentions) f(mention);
  }

  /// Draws one of the type, uniformly, but never the same words; nullptr: there is no other.
  const Mention* another(std::string_view type, const Draft& sentence, const Span& than, Random& random) const {
    const auto n = static_cast<std::uint32_t>(size(type));
    if (n == 0) return nullptr;
    const Known& known = of(types_.find(type));
    const auto same = known.number.find(key(than, [&](std::uint32_t i) { return sentence.words[i].text; }));
    const bool here = same != known.number.end();
    if (here && n == 1) return nullptr;
    const std::uint32_t drawn = random.below(here ? n - 1 : n);
    return &known.mentions[here && drawn >= same->second ? drawn + 1 : drawn];
  }

 private:
  struct Known {
    std::vector<Mention> mentions;
    std::unordered_map<std::string, std::uint32_t> number;  // by key
  };
  const Known& of(std::int32_t type) const { return known_[static_cast<std::size_t>(type)]; }

  /// The words, each preceded by its length, so that no two entities have the same key.
  template <class WordAt> static std::string key(const Span& entity, WordAt word) {
    std::string all;
    for (std::uint32_t i = entity.begin; i < entity.end; ++i) {
      const std::string_view text = word(i);
      all.append(std::to_string(text.size())).append(":").append(text);
    }
    return all;
  }
  template <class WordAt> void add(const Span& entity, WordAt word) {
    const auto type = static_cast<std::size_t>(entity.type);
    if (known_.size() <= type) known_.resize(type + 1);
    Known& known = known_[type];
    if (known.mentions.size() >= limit_) return;
    if (!known.number.emplace(key(entity, word), known.mentions.size()).second) return;
    Mention& mention = known.mentions.emplace_back();
    for (std::uint32_t i = entity.begin; i < entity.end; ++i) mention.emplace_back(word(i));
  }

  std::size_t limit_;
  Types types_;
  std::vector<Known> known_;  // by type
};

}  // namespace entrain::text
