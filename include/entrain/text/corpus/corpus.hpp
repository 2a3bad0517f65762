// [text] > batch > embed > encode > head > optim > checkpoint
//
// Sentences of tokens with tags, packed: all bytes back to back, with arrays of offsets. There is no string per token,
// so a corpus of a hundred million tokens is seven arrays. Readers and splitters build it with push and end_sentence.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/met.hpp"
#include "entrain/text/corpus/token.hpp"

namespace entrain::text {

/// A corpus of N tokens in S sentences.
///
/// Token i is bytes[begin[i], begin[i+1]); sentence s is tokens [sentence[s], sentence[s+1]), the `cu_seqlens` of
/// packed batches; a document extends from its first sentence to the first sentence of the next document. Tag -1 means
/// untagged.
struct Corpus {
  std::string name;                        // of the file, for messages; of several files, their common name
  std::string bytes;                       // of all tokens, back to back
  std::vector<std::uint64_t> begin{0};     // [N+1]
  std::vector<std::uint32_t> line;         // [N], from 1
  std::vector<std::int32_t> tag;           // [N], index into tags, or -1
  std::vector<std::string> tags;           // distinct, in order of first occurrence
  std::vector<std::uint32_t> sentence{0};  // [S+1], token offsets
  std::vector<std::uint32_t> document;     // first sentence of each document
  Met met;
  std::vector<Problem> problems;  // left out or changed by a reader that continued
  struct SentenceRange {
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<SentenceRange> annotated;  // sentences whose tags a reader made from annotations
  struct Part {
    std::uint32_t token = 0;  // its first token
    std::string name;
  };
  std::vector<Part> files;  // if there are several files (append)
  /// The classes of each sentence, where a reader gives them (text/classified). Sentences after the last one of `begin`
  /// have none.
  struct Classes {
    std::vector<std::string> names;       // distinct, in order of first occurrence
    std::vector<std::uint32_t> begin{0};  // into id: those of sentence s are [begin[s], begin[s + 1])
    std::vector<std::int32_t> id;         // indices into names
  } classes;

  std::size_t size() const noexcept { return tag.size(); }
  std::size_t sentences() const noexcept { return sentence.size() - 1; }
  std::size_t length(std::size_t s) const noexcept { return sentence[s + 1] - sentence[s]; }

  std::string_view token(std::size_t i) const noexcept {
    return std::string_view(bytes).substr(begin[i], begin[i + 1] - begin[i]);
  }
  /// The tag as in the file; empty when untagged.
  std::string_view tag_name(std::size_t i) const noexcept {
    return tag[i] < 0 ? std::string_view{} : std::string_view(tags[static_cast<std::size_t>(tag[i])]);
  }
  /// `file:line` of a token, the first half of every message about it.
  std::string where(std::size_t i) const { return file_of(i) + ":" + std::to_string(line[i]); }
  const std::string& file_of(std::size_t i) const {
    const auto after =
        std::upper_bound(files.begin(), files.end(), i, [](std::size_t t, const Part& p) { return t < p.token; });
    return after == files.begin() ? name : std::prev(after)->name;
  }

  std::span<const std::int32_t> classes_of(std::size_t s) const {
    if (s + 1 >= classes.begin.size()) return {};
    return std::span(classes.id).subspan(classes.begin[s], classes.begin[s + 1] - classes.begin[s]);
  }

  std::size_t annotated_sentences() const {
    std::size_t n = 0;
    for (const SentenceRange& s : annotated) n += s.end - s.begin;
    return n;
  }
  /// f(sentence) for each sentence whose tags are as in the file.
  template <class F> void each_unannotated(F&& f) const {
    auto next = annotated.begin();
    for (std::size_t s = 0; s < sentences(); ++s) {
      while (next != annotated.end() && next->end <= s) ++next;
      if (next == annotated.end() || s < next->begin) f(s);
    }
  }

  // building

  void push(std::string_view token, std::string_view tag_text, std::uint32_t line_number) {
    put(token, intern(tag_text), line_number);
  }
  void push(std::string_view token, std::uint32_t line_number) { put(token, -1, line_number); }
  /// Appends the words of a text that occupies one line. tag_index: the tag of all of them, as numbered by intern().
  void push(std::string_view text, std::span<const Token> words, std::int32_t tag_index, std::uint32_t line_number) {
    constexpr std::size_t step = 16;  // most words fit: a whole step is copied, and the next word overwrites the excess
    const std::size_t tokens = size(), used = bytes.size();
    std::size_t room = step;
    for (const Token& w : words) room += w.end - w.begin;
    bytes.resize(used + room);
    line.resize(tokens + words.size(), line_number);
    tag.resize(tokens + words.size(), tag_index);
    begin.resize(tokens + words.size() + 1);
    std::size_t at = used;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t length = words[i].end - words[i].begin;
      if (length <= step && words[i].begin + step <= text.size())
        std::memcpy(bytes.data() + at, text.data() + words[i].begin, step);
      else
        std::memcpy(bytes.data() + at, text.data() + words[i].begin, length);
      begin[tokens + i + 1] = at += length;
    }
    bytes.resize(at);
  }

  /// Ends the sentence of the tokens pushed since the last call; does nothing if there are none.
  ///
  /// throws    entrain.text.6 beyond 4,294,967,295 tokens, the range of a sentence offset
  void end_sentence() {
    if (size() == sentence.back()) return;
    if (size() > std::numeric_limits<std::uint32_t>::max()) refuse_size();
    if (document_starts || document.empty()) document.push_back(static_cast<std::uint32_t>(sentences()));
    document_starts = false;
    sentence.push_back(static_cast<std::uint32_t>(size()));
  }

  /// Ends the sentence, and gives it classes, by their indices in classes.names. Does nothing if it has no token.
  void end_sentence(std::span<const std::int32_t> of_classes) {
    if (size() == sentence.back()) return;
    end_sentence();
    classes.begin.resize(sentences(), static_cast<std::uint32_t>(classes.id.size()));  // those without classes
    classes.id.insert(classes.id.end(), of_classes.begin(), of_classes.end());
    classes.begin.push_back(static_cast<std::uint32_t>(classes.id.size()));
  }

  /// Marks the sentences from this one on as annotated.
  void annotated_from(std::size_t first) {
    const auto from = static_cast<std::uint32_t>(first), to = static_cast<std::uint32_t>(sentences());
    if (from == to) return;
    if (!annotated.empty() && annotated.back().end == from)
      annotated.back().end = to;
    else
      annotated.push_back({from, to});
  }

  /// Makes the next sentence the first of a document.
  void start_document() {
    end_sentence();
    document_starts = true;
  }

  /// Appends the sentences of another corpus and its reader's counters; messages about them name its file.
  ///
  /// throws    entrain.text.6 as end_sentence
  void append(const Corpus& other) {
    end_sentence();
    document_starts = true;
    const auto first = static_cast<std::uint32_t>(size());
    const std::uint64_t before = bytes.size();
    if (other.size() > 0 && other.name != file_of(size())) files.push_back({first, other.name});
    std::vector<std::int32_t> index;
    for (const std::string& one : other.tags) index.push_back(intern(one));
    bytes += other.bytes;
    for (std::size_t i = 0; i < other.size(); ++i) {
      begin.push_back(before + other.begin[i + 1]);
      tag.push_back(other.tag[i] < 0 ? -1 : index[static_cast<std::size_t>(other.tag[i])]);
    }
    line.insert(line.end(), other.line.begin(), other.line.end());
    const auto first_sentence = static_cast<std::uint32_t>(sentences());
    for (const std::uint32_t s : other.document) document.push_back(first_sentence + s);
    for (const SentenceRange& s : other.annotated) {
      if (!annotated.empty() && annotated.back().end == first_sentence + s.begin)
        annotated.back().end = first_sentence + s.end;
      else
        annotated.push_back({first_sentence + s.begin, first_sentence + s.end});
    }
    if (size() > std::numeric_limits<std::uint32_t>::max()) refuse_size();
    append_classes(other);
    for (std::size_t s = 1; s < other.sentence.size(); ++s) sentence.push_back(first + other.sentence[s]);
    met += other.met;
    for (const Problem& p : other.problems)
      problems.push_back({p.line, p.reason, p.file.empty() && other.name != name ? other.name : p.file, p.of});
  }

  /// Empties the corpus and keeps its memory.
  void clear() {
    bytes.clear();
    line.clear();
    tag.clear();
    tags.clear();
    document.clear();
    begin.assign(1, 0);
    sentence.assign(1, 0);
    slots.assign(slots.size(), -1);
    met = {};
    problems.clear();
    annotated.clear();
    files.clear();
    classes.names.clear(), classes.begin.assign(1, 0), classes.id.clear();
    document_starts = false;
  }

  void reserve(std::size_t tokens, std::size_t token_bytes) {
    bytes.reserve(token_bytes);
    begin.reserve(tokens + 1);
    line.reserve(tokens);
    tag.reserve(tokens);
  }

  /// The index of a tag, added when new.
  std::int32_t intern(std::string_view text) {
    if (!tag.empty() && tag.back() >= 0 && tags[static_cast<std::size_t>(tag.back())] == text) return tag.back();
    if (slots.size() < 2 * (tags.size() + 1)) grow();
    for (std::size_t at = hash(text);; ++at) {
      std::int32_t& slot = slots[at & (slots.size() - 1)];
      if (slot < 0) {
        tags.emplace_back(text);
        return slot = static_cast<std::int32_t>(tags.size() - 1);
      }
      if (tags[static_cast<std::size_t>(slot)] == text) return slot;
    }
  }

  /// Renames the tags; the new names must be distinct too. renamed(tag): the new name.
  template <class Renamed> void rename_tags(Renamed&& renamed) {
    for (std::string& one : tags) one = renamed(one);
    slots.assign(slots.size(), -1);
    place_tags();
  }

 private:
  [[noreturn, gnu::cold]] void refuse_size() const {
    throw Error("entrain.text.6", name, std::to_string(size()) + " tokens", "at most 4294967295",
                "split the corpus into several files");
  }

  /// Before the other corpus's sentences are appended.
  void append_classes(const Corpus& other) {
    if (other.classes.begin.size() == 1) return;
    std::vector<std::int32_t> index;
    for (const std::string& one : other.classes.names) {
      const auto at = std::find(classes.names.begin(), classes.names.end(), one);
      index.push_back(static_cast<std::int32_t>(at - classes.names.begin()));
      if (at == classes.names.end()) classes.names.push_back(one);
    }
    const auto before = static_cast<std::uint32_t>(classes.id.size());
    classes.begin.resize(sentences() + 1, before);
    for (std::size_t s = 1; s < other.classes.begin.size(); ++s)
      classes.begin.push_back(before + other.classes.begin[s]);
    for (const std::int32_t id : other.classes.id) classes.id.push_back(index[static_cast<std::size_t>(id)]);
  }

  void put(std::string_view token, std::int32_t tag_index, std::uint32_t line_number) {
    bytes.append(token);
    begin.push_back(bytes.size());
    line.push_back(line_number);
    tag.push_back(tag_index);
  }

  static std::size_t hash(std::string_view text) noexcept {  // FNV-1a
    std::uint64_t h = 14695981039346656037u;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  void grow() {
    slots.assign(slots.empty() ? 64 : 2 * slots.size(), -1);
    place_tags();
  }
  void place_tags() {
    for (std::size_t i = 0; i < tags.size(); ++i) {
      std::size_t at = hash(tags[i]);
      while (slots[at & (slots.size() - 1)] >= 0) ++at;
      slots[at & (slots.size() - 1)] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<std::int32_t> slots;  // open addressing over tags, a power of two long
  bool document_starts = false;
};

}  // namespace entrain::text
