// text > [batch] > embed > encode > head > optim > checkpoint
//
// A corpus in a file of cache_layout.hpp, read in place without a copy. And a source of a loader that reads one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/cache_layout.hpp"
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/batch/pack/validate.hpp"
#include "entrain/batch/pipeline/stage.hpp"

namespace entrain::batch {

/// f(column) for each array of a vocabulary: a column, or a type that lists its columns.
void each_column(auto& vocabulary, auto&& f) {
  if constexpr (requires { vocabulary.each_column(vocabulary, f); }) {
    vocabulary.each_column(vocabulary, f);
  } else {
    f(vocabulary);
  }
}

/// The content of a cache.
template <class Features> struct CacheContent {
  Encoded<Features> sentences;
  std::string about;  // a text that the writer added
};

/// A corpus whose columns are views of the file's bytes. They are writable, but writes must not reach the file. `keep`
/// keeps the bytes alive. The time grows with the file, as all of it is checked once; no memory is allocated.
///
/// features, labels   those that the corpus was made with      where   the file, for messages
/// throws             entrain.batch.20 to .24, as check_cache; .25: its numbers make no corpus of these features
template <class Features> [[gnu::cold]] CacheContent<Features> read_cache(std::span<std::byte> file,
                                                                          const std::shared_ptr<const void>& keep,
                                                                          const Features& features, const CacheKey& key,
                                                                          int labels, const std::string& where) {
  const CacheClosing closing = check_cache(file, key, where);
  const auto numbers_of = [&]<class T>(const CacheArray& array, std::type_identity<T>) {
    if (array.item_bytes != sizeof(T) && array.items > 0)
      refuse_cache(where, "items of " + std::to_string(array.item_bytes) + " bytes", std::to_string(sizeof(T)));
    return std::span<T>(reinterpret_cast<T*>(file.data() + array.offset), array.items);
  };
  const auto view = [&]<class T>(const CacheArray& array, Column<T>& column) {
    column = Column<T>::view(numbers_of(array, std::type_identity<T>()), keep);
  };
  CacheContent<Features> content;
  Encoded<Features>& e = content.sentences;
  e.features = features;
  e.unread.cut = closing.cut;
  e.unread.pieceless = closing.pieceless;
  e.unknown_word_copies = closing.unknown_word_copies;
  view(closing[CachePart::word], e.word);
  view(closing[CachePart::target], e.target);
  view(closing[CachePart::sentence], e.sentence);
  view(closing[CachePart::rows], e.rows);
  const auto in_pieces = numbers_of(closing[CachePart::in_pieces], std::type_identity<PieceTargets>());
  e.in_pieces.assign(in_pieces.begin(), in_pieces.end());
  const auto about = numbers_of(closing[CachePart::about], std::type_identity<char>());
  content.about.assign(about.begin(), about.end());
  auto part = static_cast<std::size_t>(CachePart::vocabulary);
  each_column(e.vocabulary, [&](auto& column) { view(closing.arrays[part++], column); });
  if (closing.labels != labels)
    refuse_cache(where, std::to_string(closing.labels) + (closing.labels == 1 ? " label" : " labels"),
                 std::to_string(labels));
  if (const std::string_view fault = fault_of(e, labels); !fault.empty())
    refuse_cache(where, fault, "an encoded corpus");
  return content;
}

/// A source: a corpus from a cache, or a corpus that the caller hands over, as one buffer an epoch, shuffled as
/// Budget::shuffled does. It allocates only the order of the sentences.
template <class Features> class Cached {
 public:
  using Item = ShuffleBuffer<Features>;
  static constexpr std::string_view name = "shuffle";
  using Cursor = typename Whole<Features>::Cursor;

  Cached(Encoded<Features> corpus, std::uint64_t seed)
      : corpus_(std::make_shared<const Encoded<Features>>(std::move(corpus))), whole_(*corpus_, seed) {}

  void start(std::uint32_t epoch, const Cursor& at) { whole_.start(epoch, at); }
  Cursor cursor() const { return whole_.cursor(); }
  bool next(Item& buffer) {
    if (!whole_.next(buffer)) return false;
    buffer.sentences = corpus_;  // the buffer may outlive this stage
    return true;
  }
  const Encoded<Features>& corpus() const { return *corpus_; }

 private:
  std::shared_ptr<const Encoded<Features>> corpus_;
  Whole<Features> whole_;
};

}  // namespace entrain::batch
