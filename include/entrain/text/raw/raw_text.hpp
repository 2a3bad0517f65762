// [text] > batch > embed > encode > head > optim > checkpoint
//
// Text without annotations, of any size, a block at a time: sentences of words, none with a tag.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/conll/conll_stream.hpp"  // BlankLine
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/text_unit.hpp"
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/files/block_source.hpp"
#include "entrain/text/split/sentences.hpp"
#include "entrain/text/split/splitter.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// Ends the records: the ends of texts.
struct TextEnd {
  static constexpr std::size_t longest = std::size_t{1} << 26;  // 64 MiB
  TextUnit of = TextUnit::paragraph;
  std::string_view unit = "a paragraph", hint = "if each line is a text, use --text-unit line";

  TextEnd() = default;
  explicit TextEnd(TextUnit text) : of(text) {
    if (of == TextUnit::line) unit = "a line", hint = "check that this is a text file";
  }
  std::size_t cut(std::string_view bytes) const {
    return of == TextUnit::line ? bytes.rfind('\n') + 1 : BlankLine::cut(bytes);
  }
};

namespace detail {

/// Counts a line; returns whether it is empty or blank.
inline bool count_line(std::string_view line, Met& met) {
  ++met.lines;
  const bool ended = line.ends_with('\n');
  if (ended) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1), met.crlf += ended;
  if (!std::all_of(line.begin(), line.end(), [](char c) { return blank(c) || c == '\r'; })) return false;
  ++met.separators;
  met.blank_separators += !line.empty();
  return true;
}

}  // namespace detail

/// f(text, line) for each text of whole ones, with its line ends and those of blank lines after it; line: its first.
/// Blank lines alone are a text too, which has no words. The kinds of lines are counted.
template <class F> void each_text(std::string_view bytes, std::uint64_t line, TextUnit unit, Met& met, F&& f) {
  std::uint64_t first = line;
  std::size_t begin = 0;  // begin of a text, on the line `first`
  for (std::size_t at = 0; at < bytes.size(); ++line) {
    const std::size_t next = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
    const bool blank = detail::count_line(bytes.substr(at, next - at), met);
    if (blank || unit == TextUnit::line || next == bytes.size()) {
      f(bytes.substr(begin, next - begin), first);
      begin = next;
      first = line + 1;
    }
    at = next;
  }
}

/// A source: the sentences of text files in their order, one corpus a block.
///
/// A text is a paragraph or a line. Each is split by itself and is a document, so the result does not depend on block
/// size. No sentence continues in the next text. Bytes that are not UTF-8 stay in their words and are counted.
template <WordSplitter Words = UnicodeWords, SentenceSplitter Sentences = UnicodeSentences> class RawText
    : public BlockSource<TextEnd> {
 public:
  using Item = Corpus;

  explicit RawText(std::vector<std::string> files, TextUnit unit = TextUnit::paragraph,
                   std::size_t block_bytes = std::size_t{1} << 18)
      : BlockSource(std::move(files), block_bytes, TextEnd(unit)), unit_(unit) {}

  /// Makes a corpus from a block.
  class Work {
   public:
    explicit Work(TextUnit unit) : unit_(unit) {}

    void operator()(Raw& raw, Corpus& corpus) {
      corpus.clear();
      corpus.name = raw.name;
      const std::string_view bytes = detail::without_mark(raw.block, corpus.met);
      valid_ = is_valid_utf8(bytes);
      each_text(bytes, raw.block.line, unit_, corpus.met,
                [&](std::string_view one, std::uint64_t line) { text(one, line, corpus); });
    }

   private:
    void text(std::string_view text, std::uint64_t line, Corpus& corpus) {
      words_.clear();
      Words::split(text, words_);
      sentences_.clear();
      Sentences::split(text, words_, sentences_);
      corpus.start_document();
      std::size_t counted = 0;  // line ends before it
      for (const Sentence& s : sentences_) {
        for (std::uint32_t i = s.begin; i < s.end; ++i) {
          const Token& word = words_[i];
          line += static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                        text.begin() + static_cast<std::ptrdiff_t>(word.begin), '\n'));
          counted = word.begin;
          corpus.met.invalid_tokens += !valid_ && !is_valid_utf8(word.in(text));
          corpus.push(word.in(text), static_cast<std::uint32_t>(line));
        }
        corpus.end_sentence();
      }
    }

    TextUnit unit_;
    bool valid_ = true;  // true: the whole block is UTF-8
    std::vector<Token> words_;
    std::vector<Sentence> sentences_;
  };
  Work work() const { return Work(unit_); }

 private:
  TextUnit unit_;
};

}  // namespace entrain::text
