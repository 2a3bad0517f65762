// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of cache_key.hpp.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"  // system_words
#include "entrain/core/error.hpp"
#include "entrain/core/fields.hpp"
#include "entrain/core/fingerprint.hpp"
#include "entrain/train/state/cache_key.hpp"

namespace entrain::train {
namespace detail {
/// Information about the file at a path; refuses a path that is not a file.
inline checkpoint::FileInfo file_to_cache(const std::string& path) {
  checkpoint::FileInfo info;
  if (path == "-" || checkpoint::Posix().info(path, info) != 0 || (info.exists && !info.regular))
    throw Error("entrain.train.40", path == "-" ? "standard input" : path, "an input that cannot be read again",
                "a file, as --cache needs", "save it in a file, or omit --cache");
  return info;
}

/// Fingerprint of a file's bytes, and their number.
inline std::string fingerprint_of(const std::string& path) {
  const checkpoint::Posix system;
  const auto failed = [&](const char* action) {
    throw Error("entrain.checkpoint.5", path,
                std::string("cannot ") + action + ": " + checkpoint::detail::system_words(errno), {}, "check the path");
  };
  const int fd = checkpoint::uninterrupted([&] { return system.open_read(path); });
  if (fd < 0) failed("open");
  const checkpoint::Closer<const checkpoint::Posix> closer{system, fd};
  constexpr std::size_t room = std::size_t{1} << 18;  // stays in the CPU's cache
  const auto memory = std::make_unique<std::byte[]>(room);
  Fingerprint fingerprint;
  std::uint64_t total = 0;
  for (;;) {
    const auto got = checkpoint::uninterrupted([&] { return system.read(fd, memory.get(), room); });
    if (got < 0) failed("read");
    if (got == 0) return std::to_string(total) + " bytes " + fingerprint.hex();
    total += static_cast<std::uint64_t>(got);
    fingerprint.add({memory.get(), static_cast<std::size_t>(got)});
  }
}
}  // namespace detail

ENTRAIN_INLINE void Ingredients::say(std::string_view name, std::string_view text) {
  Fields one;
  one.say(name, text);
  add(one.bytes());
}
ENTRAIN_INLINE void Ingredients::say(std::string_view name, const std::vector<std::string>& texts) {
  Fields all;
  all.say(name, texts);
  add(all.bytes());
}
ENTRAIN_INLINE void Ingredients::add(std::string_view fields) { sum_.add(std::as_bytes(std::span(fields))); }
ENTRAIN_INLINE void Ingredients::numbers(std::string_view name, std::span<const std::int32_t> numbers) {
  const auto bytes = std::as_bytes(numbers);
  say(name, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

ENTRAIN_INLINE void Ingredients::vocabulary(std::string_view name, const text::Vocabulary& words) {
  number(name, static_cast<std::int64_t>(words.size()));
  for (text::Vocabulary::Id i = 0; i < words.size(); ++i) say({}, words[i]);
}

ENTRAIN_INLINE void Ingredients::files(const std::vector<std::string>& paths) {
  number("files", static_cast<std::int64_t>(paths.size()));
  for (const std::string& path : paths) {
    sources_.push_back({path, detail::file_to_cache(path)});
    say({}, detail::fingerprint_of(path));
  }
}

// Every member is named here, so that a new member does not compile until it is part of the key.
ENTRAIN_INLINE void Ingredients::reading(const text::ConllOptions& options) {
  const auto& [token, tag, separator, hash, alone, plain, tags, strict, lenient, listed, token_name, tag_name] =
      options;
  say("format", "conll 2");
  number("token_column", token);
  number("tag_column", tag);
  if (!token_name.empty()) say("token_name", token_name);
  if (!tag_name.empty()) say("tag_name", tag_name);
  number("separator", static_cast<int>(separator));
  number("hash", static_cast<int>(hash));
  number("flags", tags | strict << 1 | lenient << 2 | alone << 3 | plain << 4);
  static_cast<void>(listed);  // of problems: changes no sentence
}
ENTRAIN_INLINE void Ingredients::reading(const text::RecordOptions& options) {
  const auto& [unit, misaligned, tag_names, annotations_as, split_words, split_sentences, types_alone, texts_only,
               lenient, listed] = options;
  say("format", "records");
  number("unit", static_cast<int>(unit));
  number("misaligned", static_cast<int>(misaligned));
  say("tag_names", tag_names);
  if (annotations_as) say("annotations", text::scheme_name(*annotations_as));
  number("lenient", lenient);
  if (types_alone) number("types_alone", 1);
  static_cast<void>(listed), static_cast<void>(texts_only);
  // Only where they are set: keys of caches that were made with the splitters of the reader's type stay the same.
  if (split_words.split != nullptr) say("splitter", split_words.name);
  if (split_sentences.split != nullptr) say("sentence_splitter", split_sentences.name);
}

ENTRAIN_INLINE batch::CacheKey Ingredients::key() const {
  checkpoint::Sha256 sum = sum_;
  const std::string hex = sum.hex();
  batch::CacheKey key;
  std::copy_n(hex.begin(), key.size(), key.begin());
  return key;
}

ENTRAIN_INLINE void Ingredients::refuse_changed() const {
  for (const Source& source : sources_) {
    const checkpoint::FileInfo now = detail::file_to_cache(source.path);
    if (now.bytes != source.info.bytes || now.changed != source.info.changed)
      throw Error("entrain.train.41", source.path, "changed while it was read", "an unchanged file", "start again");
  }
}

}  // namespace entrain::train
