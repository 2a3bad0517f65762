// text > batch > kernel > [vectors] > embed > train > app
//
// The words of raw text files: one rule for counting and for training.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/corpus/corpus.hpp"  // Met
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/files/block_source.hpp"
#include "entrain/text/raw/raw_text.hpp"  // TextEnd, each_text
#include "entrain/text/split/splitter.hpp"
#include "entrain/text/unicode/unicode.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::vectors {

/// Splits texts into words. Invalid bytes become U+FFFD, so that every word can be written to a file of vectors.
template <text::WordSplitter Words> class WordReader {
 public:
  WordReader(text::TextUnit unit, bool lower) : unit_(unit), lower_(lower) {}

  /// word(std::string_view) for each word of a block, end() after each text. Returns the number of words with invalid
  /// bytes.
  template <class F, class E> std::uint64_t operator()(const text::NamedBlock& raw, F&& word, E&& end) {
    text::Met met;
    const std::string_view bytes = text::detail::without_mark(raw.block, met);
    const bool valid = text::is_valid_utf8(bytes);
    std::uint64_t repaired = 0;
    text::each_text(bytes, raw.block.line, unit_, met, [&](std::string_view text, std::uint64_t) {
      tokens_.clear();
      Words::split(text, tokens_);
      for (const text::Token& token : tokens_) {
        std::string_view spelling = token.in(text);
        const bool repairs = !valid && !text::is_valid_utf8(spelling);
        repaired += repairs;
        if (lower_ || repairs) spelling = rewritten(spelling, repairs);
        word(spelling);
      }
      if (!tokens_.empty()) end();
    });
    return repaired;
  }

 private:
  std::string_view rewritten(std::string_view spelling, bool repairs) {
    if (lower_) {
      letters_.resize(text::lower_capacity(spelling.size()));
      return {letters_.data(), text::lower(spelling, std::span<char>(letters_))};
    }
    letters_.clear();
    if (repairs) text::repair_utf8(spelling, letters_);
    return letters_;
  }

  text::TextUnit unit_;
  bool lower_;
  std::vector<text::Token> tokens_;
  std::string letters_;
};

/// The base of the stages that read raw text: blocks of whole texts.
class TextBlocks : public text::BlockSource<text::TextEnd> {
 public:
  TextBlocks(std::vector<std::string> files, text::TextUnit unit)
      : BlockSource(std::move(files), std::size_t{1} << 18, text::TextEnd(unit)) {}
};

}  // namespace entrain::vectors
