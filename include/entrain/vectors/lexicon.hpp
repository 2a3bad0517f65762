// text > batch > kernel > [vectors] > embed > train > app
//
// The words that get a vector: counted in a first pass over the files, the most frequent first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/corpus/vocabulary.hpp"
#include "entrain/text/corpus/word_table.hpp"
#include "entrain/vectors/options.hpp"
#include "entrain/vectors/words.hpp"

namespace entrain::vectors {

/// Words by descending count; of the same count, in the order of their first occurrence.
class Lexicon {
 public:
  Lexicon() = default;
  /// throws    entrain.vectors.1: no word is frequent enough
  Lexicon(const text::Counts& counts, int min_count, std::uint64_t dropped = 0) : dropped_(dropped) {
    const text::Vocabulary& seen = counts.seen();
    std::vector<text::Vocabulary::Id> order(seen.size());
    std::iota(order.begin(), order.end(), text::Vocabulary::Id{0});
    const auto count = [&](text::Vocabulary::Id id) { return counts.count(seen[id]); };
    std::erase_if(order, [&](text::Vocabulary::Id id) { return count(id) < static_cast<std::uint64_t>(min_count); });
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      const std::uint64_t x = count(a), y = count(b);
      return x != y ? x > y : a < b;
    });
    for (const text::Vocabulary::Id id : order) {
      words_.add(seen[id]);
      counts_.push_back(count(id));
      total_ += counts_.back();
      text::Spelling spelling;
      spelling.read(seen[id], seen[id].size());
      table_.add(seen[id], spelling);
    }
    dropped_ += seen.size() - order.size();
    if (order.empty())
      throw Error("entrain.vectors.1", "", "no word that occurs " + std::to_string(min_count) + " times",
                  "at least one", "lower --min-count, or give more text");
  }

  std::size_t size() const { return words_.size(); }
  const text::Vocabulary& words() const { return words_; }
  std::uint64_t count(std::size_t word) const { return counts_[word]; }
  std::uint64_t total() const { return total_; }      // occurrences of these words
  std::uint64_t dropped() const { return dropped_; }  // other words

  /// The number of a word; -1: it has no vector. `more`: bytes after the word that may be read, see Spelling.
  std::int32_t find(std::string_view word) const {
    text::Spelling spelling;
    spelling.read(word, word.size());
    return table_.find(word, spelling);
  }

 private:
  text::Vocabulary words_;
  text::WordTable table_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0, dropped_ = 0;
};

/// A divided stage (batch/pipeline/stage.hpp): the counts of the words of each block.
template <text::WordSplitter Words> class BlockCounts : public TextBlocks {
 public:
  struct Item {
    text::Counts counts;
    std::uint64_t words = 0, repaired = 0;
  };
  struct Work {
    WordReader<Words> reader;
    void operator()(text::NamedBlock& raw, Item& item) {
      item = {};
      item.repaired = reader(
          raw, [&](std::string_view word) { item.counts.add(word), ++item.words; }, [] {});
    }
  };
  BlockCounts(std::vector<std::string> files, const Options& o)
      : TextBlocks(std::move(files), o.unit), lower_(o.lower), text_(o.unit) {}
  Work work() const { return {WordReader<Words>(text_, lower_)}; }

 private:
  bool lower_;
  text::TextUnit text_;
};

struct Counted {
  Lexicon lexicon;
  std::uint64_t words = 0, repaired = 0;  // of the files; of them with bytes that are not UTF-8
};

/// Counts the words of files in bounded memory. The result does not depend on the number of threads.
///
/// throws    entrain.vectors.1; the errors of text::Blocks
template <text::WordSplitter Words>
Counted count_words(const std::vector<std::string>& files, const Options& options, int threads = 1) {
  using Stage = BlockCounts<Words>;
  batch::WorkersOptions how;
  how.workers = threads > 1 ? threads : 0;
  batch::Workers<Stage> stage(Stage(files, options), how);
  stage.start(0, {});
  Counted out;
  text::Counts all;
  std::uint64_t dropped = 0;
  typename Stage::Item item;
  while (stage.next(item)) {
    const text::Vocabulary& seen = item.counts.seen();
    for (text::Vocabulary::Id id = 0; id < seen.size(); ++id) all.add(seen[id], item.counts.count(seen[id]));
    out.words += item.words;
    out.repaired += item.repaired;
    // Words that came once so far are dropped, then those that came twice, until there are few enough.
    for (std::uint64_t rare = 1; options.max_vocab_size > 0 && all.seen().size() > options.max_vocab_size; ++rare) {
      text::Counts kept;
      for (text::Vocabulary::Id id = 0; id < all.seen().size(); ++id)
        if (const std::uint64_t n = all.count(all.seen()[id]); n > rare) kept.add(all.seen()[id], n);
      dropped += all.seen().size() - kept.seen().size();
      all = std::move(kept);
    }
  }
  out.lexicon = Lexicon(all, options.min_count, dropped);
  return out;
}

/// A divided stage: the numbers of the words of each block, without those that have none.
template <text::WordSplitter Words> class BlockIds : public TextBlocks {
 public:
  struct Item {
    std::vector<std::int32_t> ids;
    std::vector<std::uint32_t> ends;  // of texts, in ids
  };
  struct Work {
    WordReader<Words> reader;
    const Lexicon* lexicon;
    void operator()(text::NamedBlock& raw, Item& item) {
      item.ids.clear(), item.ends.clear();
      reader(
          raw,
          [&](std::string_view word) {
            if (const std::int32_t id = lexicon->find(word); id >= 0) item.ids.push_back(id);
          },
          [&] { item.ends.push_back(static_cast<std::uint32_t>(item.ids.size())); });
    }
  };
  /// lexicon   outlives the stage
  BlockIds(std::vector<std::string> files, const Options& o, const Lexicon& lexicon)
      : TextBlocks(std::move(files), o.unit), lower_(o.lower), text_(o.unit), lexicon_(&lexicon) {}
  Work work() const { return {WordReader<Words>(text_, lower_), lexicon_}; }

 private:
  bool lower_;
  text::TextUnit text_;
  const Lexicon* lexicon_;
};

}  // namespace entrain::vectors
