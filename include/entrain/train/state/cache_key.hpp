// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The key of a cache of an encoded corpus, one sum of: the bytes of the files, how they are read, how words are
// encoded, the labels. If one of these changes, the cache is another one.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/label_all_tokens.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/encode/words_with_vectors.hpp"
#include "entrain/batch/pack/cache_layout.hpp"
#include "entrain/checkpoint/posix.hpp"
#include "entrain/checkpoint/sha256.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/conll/conll_options.hpp"
#include "entrain/text/corpus/vocabulary.hpp"
#include "entrain/text/records/record.hpp"  // RecordOptions

namespace entrain::train {

/// Adds everything that determines a number of a cache; the order is part of the sum.
///
///   Ingredients of;
///   of.files({"train.conll"});
///   of.words(features);
///   of.say("scheme", "BIOES");
///   cached<Features>(of, ...);
class Ingredients {
 public:
  Ingredients() { number("version", batch::cache_version); }

  void say(std::string_view name, std::string_view text);
  void say(std::string_view name, const std::vector<std::string>& texts);
  void number(std::string_view name, std::int64_t number) { say(name, std::to_string(number)); }
  void numbers(std::string_view name, std::span<const std::int32_t> numbers);
  void vocabulary(std::string_view name, const text::Vocabulary& words);
  /// Bytes that no other fields can produce (core/fields.hpp).
  void add(std::string_view fields);

  /// Files to be read, compressed or not: their bytes count, not their names. Each file is read whole here once.
  ///
  /// throws    entrain.train.40: standard input, or another path that is no file
  ///           entrain.checkpoint.5 and .8: unreadable
  void files(const std::vector<std::string>& paths);
  /// The options for reading them.
  void reading(const text::ConllOptions& options);
  void reading(const text::RecordOptions& options);

  /// How words are encoded. A feature type of another program defines `void ingredients_of(const Features&,
  /// train::Ingredients&)` in its namespace.
  template <class Features> void words(const Features& features) {
    number("labels every piece", batch::labels_every_piece<Features>);
    ingredients_of(features, *this);
  }

  batch::CacheKey key() const;

  /// Refuses files that changed after they were read here.
  ///
  /// throws    entrain.train.41
  void refuse_changed() const;

 private:
  struct Source {
    std::string path;
    checkpoint::FileInfo info;
  };
  checkpoint::Sha256 sum_;
  std::vector<Source> sources_;
};

template <int Hashes, int... R>
[[gnu::cold]] void ingredients_of(const batch::HashedWords<Hashes, R...>& features, Ingredients& to) {
  to.say("words", "hashed");
  to.number("hashes", Hashes);
  to.numbers("tables", features.rows);
}
template <class Words, int Rows>
[[gnu::cold]] void ingredients_of(const batch::WordsWithVectors<Words, Rows>& features, Ingredients& to) {
  ingredients_of(Words{}, to);
  to.number("rows of vectors", Rows);
  to.vocabulary("words with vectors", *features.words());
}
template <int Positions, int Rows, class Tokenizer, int FirstPosition>
[[gnu::cold]] void ingredients_of(const batch::Pieces<Positions, Rows, Tokenizer, FirstPosition>& features,
                                  Ingredients& to) {
  to.say("words", "pieces");
  to.number("positions", Positions);
  to.number("rows", Rows);
  to.numbers("before", features.before());
  to.numbers("behind", features.after());
  if (FirstPosition > 0) to.number("first position", FirstPosition);  // a window holds fewer pieces
  to.add(features.tokenizer().fingerprint());
}

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/train/state/cache_key.ipp"
#endif
