// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Encoded corpora in files: a corpus is encoded once, and then mapped by any number of programs, which share its
// memory. Read batch/pack/cached.hpp for reading, cache_key.hpp for when a file is the right one.
#pragma once
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/joined.hpp"
#include "entrain/batch/pack/cached.hpp"
#include "entrain/core/error.hpp"
#include "entrain/train/state/cache_file.hpp"
#include "entrain/train/state/cache_key.hpp"
#include "entrain/train/state/cache_system.hpp"
#include "entrain/train/state/locked_file.hpp"
#include "entrain/train/state/mapped_file.hpp"

namespace entrain::train {

struct CacheOptions {
  std::string folder;                // created if it does not exist
  std::string stem = "corpus";       // the prefix of its files' names
  int labels = 0;                    // targets are below
  bool unknown_word_copies = false;  // for word dropout: batch::add_unknown_word_copies
};

/// A corpus from a cache, and facts for messages.
template <class Features> struct CachedCorpus : batch::CacheContent<Features> {
  std::string path;
  std::uint64_t bytes = 0;  // of the file
  bool built = false;       // by this call; else it existed
  std::string fault;        // of an existing file that could not be used: the sentence of its Error
};

/// Makes a cache from one block of sentences after another. Its memory is that of the vocabulary and of a few blocks.
/// The corpus grows on the disk, where it takes twice its size until it is published.
template <class Features, class System = CacheSystem> class CacheBuilder {
 public:
  explicit CacheBuilder(const std::string& path, System system = {})
      : join_(to_), file_(path, system), target_(path, system), sentence_(path, system), rows_(path, system) {
    for (auto* beside : {&target_, &sentence_, &rows_}) beside->remove();
    file_.begin(sizeof(std::int32_t));
  }

  /// Appends sentences, as batch::Joined joins them.
  ///
  /// throws    entrain.checkpoint.1: the system refused      entrain.train.43: more words than a corpus can have
  void append(const batch::Encoded<Features>& part) {
    join_(part);
    if (to_.word.size() >= spill_at) spill();
  }
  /// The unread words of all appended sentences.
  const batch::Unread& unread() const { return to_.unread; }
  /// A text that is stored with the sentences and returned by cached(). It must depend only on what is in the key.
  void about(std::string text) { about_ = std::move(text); }

  /// labels, unknown_word_copies   of CacheOptions
  [[gnu::cold]] void publish(const batch::CacheKey& key, int labels, bool unknown_word_copies) {
    spill();
    if (unknown_word_copies) batch::add_unknown_word_copies(to_);
    file_.begin(sizeof(typename batch::Encoded<Features>::Target));
    file_.add(target_);
    file_.begin(sizeof(std::uint32_t));
    const std::uint32_t zero = 0;
    file_.add(std::span(&zero, 1));
    file_.add(sentence_);
    file_.begin(sizeof(std::int32_t));
    file_.add(rows_);
    finish(file_, to_, key, labels, about_);
  }

  /// Writes a corpus that is in memory, unchanged.
  [[gnu::cold]] static void write(const std::string& path, const batch::Encoded<Features>& e,
                                  const batch::CacheKey& key, int labels, System system = {}) {
    CacheFile<System> file(path, system);
    const auto put = [&]<class T>(const batch::Column<T>& column) {
      file.begin(sizeof(T));
      file.add(std::span<const T>(column));
    };
    put(e.word), put(e.target), put(e.sentence), put(e.rows);
    finish(file, e, key, labels, {});
  }

 private:
  static constexpr std::size_t spill_at = std::size_t{1} << 18;  // words

  void spill() {
    if (words_ + to_.word.size() > std::numeric_limits<std::uint32_t>::max())
      throw Error("entrain.train.43", file_.path(), std::to_string(words_ + to_.word.size()) + " words",
                  "fewer than 4,294,967,296", "split the corpus into parts, each with its own cache");
    for (std::uint32_t& end : to_.sentence) end += static_cast<std::uint32_t>(words_);
    words_ += to_.word.size();
    file_.add(std::span<const std::int32_t>(to_.word));
    target_.write(std::as_bytes(std::span(to_.target)));
    sentence_.write(std::as_bytes(std::span(to_.sentence).subspan(1)));
    rows_.write(std::as_bytes(std::span(to_.rows)));
    to_.word.clear(), to_.target.clear(), to_.rows.clear();
    to_.sentence.assign(1, 0);
  }
  /// The arrays whose size depends on the vocabulary alone.
  static void finish(CacheFile<System>& file, const batch::Encoded<Features>& e, const batch::CacheKey& key, int labels,
                     const std::string& about) {
    file.begin(sizeof(batch::PieceTargets));
    file.add(std::span(e.in_pieces));
    file.begin(1);
    file.add(std::span(about));
    batch::each_column(e.vocabulary, [&]<class T>(const batch::Column<T>& column) {
      file.begin(sizeof(T));
      file.add(std::span<const T>(column));
    });
    batch::CacheClosing numbers;
    numbers.key = key;
    numbers.cut = e.unread.cut;
    numbers.pieceless = e.unread.pieceless;
    numbers.labels = labels;
    numbers.unknown_word_copies = e.unknown_word_copies;
    file.publish(numbers);
  }

  batch::Encoded<Features> to_;  // the vocabulary, and sentences that are not written yet
  batch::Joined<Features> join_;
  CacheFile<System> file_;
  LockedFile<System> target_, sentence_, rows_;  // without names
  std::uint64_t words_ = 0;                      // written
  std::string about_;
};

/// `FOLDER/STEM-0123456789abcdef.entrain`
inline std::string cache_path(const CacheOptions& options, const batch::CacheKey& key) {
  return options.folder + "/" + options.stem + "-" + std::string(key.data(), 16) + std::string(cache_ending);
}

/// throws    what map_file and batch::read_cache throw
template <class Features, class System = CacheSystem>
[[gnu::cold]] CachedCorpus<Features> open_cache(const std::string& path, const Features& features,
                                                const batch::CacheKey& key, int labels, System system = {}) {
  const MappedFile file = map_file(path, system);
  CachedCorpus<Features> corpus;
  static_cast<batch::CacheContent<Features>&>(corpus) =
      batch::read_cache<Features>(file.bytes, file.memory, features, key, labels, path);
  corpus.path = path;
  corpus.bytes = file.bytes.size();
  system.advise(file.bytes.data(), file.bytes.size(), MADV_RANDOM);
  return corpus;
}

namespace detail {
/// The cache of that key; if there is none, or none that can be used, the one that write(path) makes.
template <class Features, class Write, class System>
[[gnu::cold]] CachedCorpus<Features> cached(const Ingredients& of, const CacheOptions& options,
                                            const Features& features, Write&& write, System system) {
  Ingredients all = of;
  all.number("labels", options.labels);
  all.number("twins", options.unknown_word_copies);
  all.words(features);
  const batch::CacheKey key = all.key();
  const std::string path = cache_path(options, key);
  if (system.make_folder(options.folder) != 0 && errno != EEXIST)
    checkpoint::detail::write_failed(options.folder, "create the folder", errno);
  sweep_caches(options.folder, system);
  checkpoint::FileInfo there;
  if (system.info(path, there) != 0) checkpoint::detail::write_failed(path, "stat the file", errno);
  refuse_no_cache_file(path, there);
  std::string fault;
  if (there.exists) try {
      return open_cache<Features>(path, features, key, options.labels, system);
    } catch (const Error& e) {
      if (!e.id().starts_with("entrain.batch.")) throw;
      fault = e.what();
    }
  write(path, key);
  CachedCorpus<Features> corpus = open_cache<Features>(path, features, key, options.labels, system);
  corpus.built = true;
  corpus.fault = std::move(fault);
  return corpus;
}
}  // namespace detail

/// A corpus from its cache in options.folder. If there is none, one is made from blocks of sentences in bounded memory:
/// fill(CacheBuilder&) appends them, in the order of the files. A damaged file is replaced.
///
/// of        what else determines the corpus; features, labels and unknown_word_copies are added here
/// throws    entrain.checkpoint.1: the system refused to write      entrain.train.41: a file changed meanwhile
///           entrain.train.42, 43: map_file, CacheBuilder    .51: the path with the file's name is no file
template <class Features, class Fill, class System = CacheSystem>
CachedCorpus<Features> cached(const Ingredients& of, const CacheOptions& options, const Features& features, Fill&& fill,
                              System system = {}) {
  Ingredients all = of;
  all.say("made", "of blocks");  // words with the same spelling are one
  return detail::cached<Features>(
      all, options, features,
      [&](const std::string& path, const batch::CacheKey& key) {
        CacheBuilder<Features, System> builder(path, system);
        fill(builder);
        of.refuse_changed();
        builder.publish(key, options.labels, options.unknown_word_copies);
      },
      system);
}

/// The same for a corpus that fits into memory: if there is no cache, encode() makes the corpus with its targets. It is
/// mapped afterwards, and its memory is freed.
template <class Features, class Encode, class System = CacheSystem>
CachedCorpus<Features> cached_whole(const Ingredients& of, const CacheOptions& options, const Features& features,
                                    Encode&& encode, System system = {}) {
  Ingredients all = of;
  all.say("made", "whole");
  return detail::cached<Features>(
      all, options, features,
      [&](const std::string& path, const batch::CacheKey& key) {
        batch::Encoded<Features> e = encode();
        if (options.unknown_word_copies && e.unknown_word_copies == 0) batch::add_unknown_word_copies(e);
        of.refuse_changed();
        CacheBuilder<Features, System>::write(path, e, key, options.labels, system);
      },
      system);
}

/// Appends everything that a stage of batch::EncodedBlock gives in epoch 0. seen(sentences): called for each block
template <class Stage, class Builder, class Seen> void append_all(Stage& stage, Builder& builder, Seen&& seen) {
  stage.start(0, {});
  for (typename Stage::Item block; stage.next(block);) {
    builder.append(block.sentences);
    seen(block.sentences);
  }
}
template <class Stage, class Builder> void append_all(Stage& stage, Builder& builder) {
  append_all(stage, builder, [](const auto&) {});
}

}  // namespace entrain::train
