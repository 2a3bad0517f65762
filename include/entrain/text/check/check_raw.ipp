// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of check_raw.hpp.
#pragma once
#include <algorithm>

#include "entrain/core/hash.hpp"
#include "entrain/text/check/check_raw.hpp"
#include "entrain/text/check/check_words.hpp"  // counted, percent, describe(Met)
#include "entrain/text/corpus/token_fault.hpp"
#include "entrain/text/unicode/invalid_utf8.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

ENTRAIN_INLINE std::string_view finding_name(RawKind kind, bool many) {
  switch (kind) {
    case RawKind::not_utf8:
      return many ? "lines that are not UTF-8" : "line that is not UTF-8";
    case RawKind::no_word:
      return many ? "files without a word" : "file without a word";
    case RawKind::odd_line:
      return many ? "odd lines" : "odd line";
    case RawKind::long_sentence:
      return many ? "long sentences" : "long sentence";
  }
  return {};
}

ENTRAIN_INLINE void RawChecker::file(const std::string& name, const std::string& unit) {
  findings_.file(name);
  File& file = files_.emplace_back(options_.lines_kept);
  file.name = name;
  file.unit = unit;
}

ENTRAIN_INLINE void RawChecker::add(std::string_view bytes, std::uint64_t line, const Corpus& corpus) {
  File& file = files_.back();
  if (corpus.met.bom > 0) bytes.remove_prefix(3);
  for (; !bytes.empty(); ++line) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    look_at(bytes.substr(0, end), line);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  file.met += corpus.met;
  file.texts += corpus.document.size();
  for (std::size_t s = 0; s < corpus.sentences(); ++s) {
    const std::size_t words = corpus.length(s);
    const std::uint32_t at = corpus.line[corpus.sentence[s]];
    file.sentences.add(words, at);
    if (words > options_.long_sentence)
      findings_.add(files_.size() - 1, at, RawKind::long_sentence,
                    [&] { return "a sentence of " + std::to_string(words) + " words starts here"; });
  }
}

ENTRAIN_INLINE void RawChecker::look_at(std::string_view line, std::uint64_t number) {
  File& file = files_.back();
  while (line.ends_with('\r')) line.remove_suffix(1);
  const Census found = census(line);
  file.characters += found.code_points;
  file.invalid += found.invalid;
  if (!found.valid()) {
    findings_.add(files_.size() - 1, number, RawKind::not_utf8, [&] {
      return invalid_in_line(line) + (found.invalid > 1 ? "; " + std::to_string(found.invalid) + " such bytes" : "");
    });
  } else if (const TokenFault fault = find_fault(line); fault.fault != Fault::none &&
                                                        fault.fault != Fault::inner_space &&
                                                        fault.fault != Fault::blank && fault.fault != Fault::empty) {
    findings_.add(files_.size() - 1, number, RawKind::odd_line, [&] {
      std::string words = text::describe(fault);
      if (const std::size_t at = words.find("the token"); at != words.npos) words.replace(at, 9, "the line");
      return words;
    });
  }
  const std::size_t end = line.find_last_not_of(" \t");
  if (end != line.npos) file.lines.see(hash_bytes(line.substr(0, end + 1), 1), number);
}

ENTRAIN_INLINE std::string RawChecker::summary(const File& file) const {
  using detail::counted;
  std::string s = file.name + ": " + counted(file.texts, file.unit, file.unit + "s") + ", " +
                  counted(file.sentences.count(), "sentence", "sentences") + ", " +
                  counted(file.sentences.sum(), "word", "words") + ", " +
                  counted(file.characters, "character", "characters") + "\n";
  s += "  words per sentence: " + file.sentences.words() + "\n";
  s += "  layout: text, one " + file.unit + " per text" +
       (file.texts == 1 && file.lines.seen() > 100 ? "; if each line is a text, use --text-unit line" : "") + "\n";
  Met met = file.met;
  met.invalid_tokens = 0;  // counted as bytes
  if (const std::string words = text::describe(met); !words.empty()) s += "  met: " + words + "\n";
  if (file.invalid > 0) s += "  " + counted(file.invalid, "byte is", "bytes are") + " not UTF-8\n";
  const std::uint64_t repeated = file.lines.repeated();
  s += "  " + std::string(file.lines.exact() ? "" : "about ") + std::to_string(repeated) + " of " +
       counted(file.lines.seen(), "line", "lines") + " that are not blank repeat an earlier one (" +
       detail::percent(repeated, file.lines.seen()) + ")";
  if (repeated > 0)
    s += ", such as line " + std::to_string(file.lines.first().first) + ", equal to line " +
         std::to_string(file.lines.first().second);
  return s + "\n";
}

ENTRAIN_INLINE std::string RawChecker::describe() {
  for (std::size_t f = 0; f < files_.size(); ++f)
    if (files_[f].sentences.count() == 0)
      findings_.add(f, 0, RawKind::no_word, [] { return std::string("no words in the file"); });
  std::string s = findings_.listed();
  for (const File& file : files_) s += summary(file);
  return s + findings_.tally() + "\n";
}

}  // namespace entrain::text
