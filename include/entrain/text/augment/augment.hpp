// [text] > batch > embed > encode > head > optim > checkpoint
//
// Changes sentences at random each time they are read, so that a model sees more variety than the corpus has. The
// choice of sentences and changes depends only on the seed, the epoch and the sentence. Read text/corpus/draft.hpp
// first; recase.hpp, entity_swap.hpp and text/augment/token_drop.hpp are augmenters.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "entrain/core/hash.hpp"
#include "entrain/core/random.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/draft.hpp"

namespace entrain::text {

/// Changes a sentence. It may keep memory between sentences, but the result must not depend on that memory.
///
///   static constexpr std::uint32_t kind                    keeps its random numbers apart from those of other kinds
/// bool operator()(Draft& sentence, Random& random)       false: it left the sentence unchanged
template <class A>
concept Augmenter = std::copy_constructible<A> && requires(A& a, Draft& sentence, Random& random) {
  { A::kind } -> std::convertible_to<std::uint32_t>;
  { a(sentence, random) } -> std::same_as<bool>;
};

struct AugmentOptions {
  std::uint64_t seed = 0;
  bool keep_originals = false;  // true: the changed sentence comes after the original; false: it replaces the original
};

/// The random numbers of a sentence. The key identifies the sentence by the line of its first word, the number of
/// sentences before it that begin on that line, and its words. It does not use the name of the file, so that a corpus
/// may move.
///
///     Random(key, kind, epoch),   key = first two words of philox({line, nth, hash of its words}, seed)
inline Random random_of(const Corpus& corpus, std::size_t s, std::uint32_t nth, std::uint64_t seed, std::uint32_t kind,
                        std::uint32_t epoch) {
  const std::size_t first = corpus.sentence[s], end = corpus.sentence[s + 1];
  const std::uint64_t words = hash_bytes(
      std::string_view(corpus.bytes).substr(corpus.begin[first], corpus.begin[end] - corpus.begin[first]), 1);
  const auto half = [](std::uint64_t x, int i) { return static_cast<std::uint32_t>(x >> 32 * i); };
  const auto key =
      philox({{corpus.line[first], nth, half(words, 0), half(words, 1)}}, {{half(seed, 0), half(seed, 1)}});
  return Random(key[0] | std::uint64_t{key[1]} << 32, kind, epoch);
}

/// Applies the augmenters A..., one after the other, to the sentences of a corpus. Augmenter number i draws from kind +
/// i. In a changed sentence no tag breaks its scheme; a sentence that no augmenter changed stays identical, bit for
/// bit. Changes are counted in Corpus::met.
///
/// Reading     how the tags are read, and the scheme in which they are written (text/tags/reading.hpp)
template <class Reading, class... A> class Augment {
  static_assert((Augmenter<A> && ...),
                "entrain: an augmenter needs 'static constexpr std::uint32_t kind' and 'bool operator()(text::Draft&, "
                "Random&)'; see text/augment/augment.hpp.");

 public:
  explicit Augment(const AugmentOptions& options, A... augmenters)
      : Augment(options, Reading{}, std::move(augmenters)...) {}
  Augment(const AugmentOptions& options, const Reading& reading, A... augmenters)
      : options_(options), augmenters_(std::move(augmenters)...), reader_(reading), writer_(reading) {}

  /// throws    entrain.text.22: an augmenter left entities that overlap or leave the sentence
  void operator()(Corpus& corpus, std::uint32_t epoch) {
    reader_.open(corpus, draft_.types);
    std::size_t done = 0;  // sentences before this one are in varied_
    std::uint32_t nth = 0;
    bool any = false;
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
      nth = s > 0 && line(corpus, s) == line(corpus, s - 1) ? nth + 1 : 0;
      reader_.read(corpus, s, draft_);
      if (!vary(corpus, s, nth, epoch) || !writer_.read(draft_)) continue;
      if (!std::exchange(any, true)) begin(corpus);
      const bool replaces = !options_.keep_originals;
      copy(corpus, done, replaces ? s : s + 1);
      done = s + 1;
      if (replaces) copy_marks(corpus, s, s + 1);
      writer_.write(draft_, varied_);
      count();
    }
    if (!any) return;
    copy(corpus, done, corpus.sentences());
    varied_.problems = std::move(corpus.problems);
    std::swap(corpus, varied_);
  }

 private:
  static std::uint32_t line(const Corpus& corpus, std::size_t s) { return corpus.line[corpus.sentence[s]]; }

  bool vary(const Corpus& corpus, std::size_t s, std::uint32_t nth, std::uint32_t epoch) {
    std::uint32_t number = 0;
    bool changed = false;
    const auto apply = [&](auto& augmenter) {
      Random random = random_of(corpus, s, nth, options_.seed, augmenter.kind + number++, epoch);
      if (augmenter(draft_, random)) changed = true;
    };
    std::apply([&](auto&... augmenter) { (apply(augmenter), ...); }, augmenters_);
    return changed;
  }

  /// Starts without sentences, but with the same tags under the same numbers, duplicates included, so that sentences
  /// can be copied unchanged.
  void begin(const Corpus& corpus) {
    varied_.clear();
    varied_.name = corpus.name;
    varied_.met = corpus.met;
    varied_.reserve(corpus.size(), corpus.bytes.size());
    varied_.tags = corpus.tags;
  }
  /// Copies sentences [first, end).
  void copy(const Corpus& from, std::size_t first, std::size_t end) {
    Corpus& to = varied_;
    const std::size_t token = from.sentence[first], tokens_end = from.sentence[end], before = to.size();
    copy_marks(from, first, end);
    for (std::size_t s = first; s < end; ++s)
      to.sentence.push_back(static_cast<std::uint32_t>(before + (from.sentence[s + 1] - token)));
    for (std::size_t i = token; i < tokens_end; ++i)
      to.begin.push_back(to.bytes.size() + (from.begin[i + 1] - from.begin[token]));
    to.bytes.append(from.bytes, from.begin[token], from.begin[tokens_end] - from.begin[token]);
    const auto part = [&](auto& whole, const auto& of) {
      whole.insert(whole.end(), of.begin() + static_cast<std::ptrdiff_t>(token),
                   of.begin() + static_cast<std::ptrdiff_t>(tokens_end));
    };
    part(to.line, from.line);
    part(to.tag, from.tag);
  }
  /// Copies the places where documents and files begin among sentences [first, end), which are copied next.
  void copy_marks(const Corpus& from, std::size_t first, std::size_t end) {
    const auto each_in = [](const auto& all, std::size_t begin, std::size_t stop, auto place, auto sink) {
      auto at = std::partition_point(all.begin(), all.end(), [&](const auto& one) { return place(one) < begin; });
      for (; at != all.end() && place(*at) < stop; ++at) sink(*at, place(*at) - begin);
    };
    const auto number = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
    each_in(
        from.document, first, end, [](std::uint32_t s) { return s; },
        [&](std::uint32_t, std::size_t s) { varied_.document.push_back(number(varied_.sentences() + s)); });
    each_in(
        from.files, from.sentence[first], from.sentence[end], [](const Corpus::Part& p) { return p.token; },
        [&](const Corpus::Part& p, std::size_t i) {
          varied_.files.push_back({number(varied_.size() + i), p.name});
        });
  }
  void count() {
    Met& met = varied_.met;
    ++met.variants;
    met.recased_words += draft_.recased_words;
    met.dropped_words += draft_.dropped_words;
    met.swapped_entities += draft_.swapped_entities;
  }

  AugmentOptions options_;
  std::tuple<A...> augmenters_;
  DraftReader<Reading> reader_;
  DraftWriter<Reading> writer_;
  Draft draft_;
  Corpus varied_;
};

}  // namespace entrain::text
