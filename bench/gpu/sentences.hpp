// bench: sentences made from a seed, as long as those of CoNLL 2003 in BERT's pieces: mean 21.4, median 17, 99 of 100
// below 58, longest 173. They replace a corpus: the timings do not depend on the text, and the tag to learn follows
// from a word's first piece.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/core/random.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace bench {

/// Sentences in pieces, back to back, [CLS] and [SEP] around each.
///
/// label     of each piece: its tag at the first piece of a word, else -100, as in transformers
struct Sentences {
  static constexpr std::int32_t unknown = 0, before = 1, after = 2, first_word = 3;  // ids of pieces
  static constexpr int types = 4;                                                    // of entities, in BIO

  std::vector<std::int32_t> length, piece, label;
  std::vector<std::uint32_t> order;  // shuffled; batches take sentences in this order

  /// pieces: rows of the model's table. longest: pieces of a sentence, at most
  Sentences(std::size_t count, int pieces, int longest, std::uint64_t seed) {
    entrain::Random random(seed, 0x73656E74u);
    const double kinds = std::min(20000, pieces - first_word);  // ids by Zipf's law: the k-th is 1/k as frequent
    for (std::size_t s = 0; s < count; ++s) {
      const int n = std::min(longest, length_at(static_cast<double>(random.uniform())));
      length.push_back(n);
      push(before, -100);
      for (int i = 2; i < n; ++i) {
        const double drawn = std::exp(static_cast<double>(random.uniform()) * std::log(kinds + 1));
        const auto id = static_cast<std::int32_t>(first_word - 1 + std::clamp(drawn, 1.0, kinds));
        const bool goes_on = i > 2 && random.uniform() < 0.25f;  // a third more pieces than words
        push(id, goes_on ? -100 : id % 6 == 0 ? 1 + id / 6 % (2 * types) : 0);
      }
      push(after, -100);
      order.push_back(static_cast<std::uint32_t>(s));
    }
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  }

  /// Writes numbers of 32 bits: the number of sentences, their lengths, the pieces, the labels, the order.
  void write(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    const auto put = [&](const auto& numbers) {
      file.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * 4));
    };
    put(std::vector<std::int32_t>{static_cast<std::int32_t>(length.size())});
    put(length), put(piece), put(label), put(order);
    if (!file.flush()) throw entrain::Error("entrain.bench.1", path, "cannot write it");
  }

  /// The sentences as a trainer reads them.
  template <class Features> entrain::batch::Encoded<Features> encoded() const {
    entrain::batch::Encoded<Features> e;
    e.features = {std::make_shared<const entrain::text::WordPiece>(std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]"}),
                  {before},
                  {after}};
    const std::int32_t* from = piece.data();
    const std::int32_t* tag = label.data();
    for (const std::int32_t n : length) {
      for (int i = 1, end; i + 1 < n; i = end) {
        for (end = i + 1; end + 1 < n && tag[end] < 0;) ++end;
        e.word.push_back(static_cast<std::int32_t>(e.vocabulary.size()));
        e.target.push_back(tag[i]);
        e.vocabulary.push_back(std::span(from + i, from + end));
      }
      e.sentence.push_back(static_cast<std::uint32_t>(e.word.size()));
      e.rows.push_back(n);
      from += n, tag += n;
    }
    return e;
  }

  /// The sentences for a trainer that reads words: each first piece of a word is one word; if it is in an entity, it is
  /// one of its own.
  template <class Features> entrain::batch::Encoded<Features> encoded_words() const {
    entrain::text::Corpus corpus;
    const std::int32_t *from = piece.data(), *tag = label.data();
    std::vector<std::int32_t> target;
    for (const std::int32_t n : length) {
      for (int i = 0; i < n; ++i) {
        if (tag[i] < 0) continue;
        corpus.push(spelled(from[i]), static_cast<std::uint32_t>(corpus.size() + 1));
        target.push_back(tag[i] == 0 ? 0 : 1 + (tag[i] - 1) / 2 * Bioes::parts + entrain::text::part_of<Bioes>('S'));
      }
      corpus.end_sentence();
      from += n, tag += n;
    }
    auto e = entrain::batch::encode<Features>(corpus);
    e.target = std::move(target);
    return e;
  }

 private:
  using Bioes = entrain::text::Bioes;
  /// Another word for each piece, a third of them in capitals.
  static std::string spelled(std::int32_t id) {
    std::string word(1, static_cast<char>((id % 3 == 0 ? 'A' : 'a') + id % 26));
    for (id /= 26; id > 0; id /= 26) word += static_cast<char>('a' + id % 26);
    return word;
  }
  void push(std::int32_t id, std::int32_t tag) { piece.push_back(id), label.push_back(tag); }
  /// The length below which that share of all sentences is; linear between the corners.
  static int length_at(double share) {
    struct Corner {
      double share, length;
    };
    constexpr Corner corners[]{{0, 3},    {0.1, 6},   {0.25, 10},  {0.5, 17}, {0.75, 29},
                               {0.9, 42}, {0.99, 58}, {0.999, 90}, {1, 173}};
    const Corner* c = corners;
    while (c[1].share <= share) ++c;
    return static_cast<int>(
        std::lround(c->length + (c[1].length - c->length) * (share - c->share) / (c[1].share - c->share)));
  }
};

}  // namespace bench
