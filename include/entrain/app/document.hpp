// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A text with its words, its sentences and the entities in it: what prediction and conversion pass on, in whatever
// format it came and goes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/corpus.hpp"
#include "entrain/text/scheme.hpp"
#include "entrain/text/token.hpp"

namespace entrain::app {

/// Words [begin, end) of a document.
struct Mention {
  std::uint32_t begin = 0, end = 0;
  std::string type;
  friend bool operator==(const Mention&, const Mention&) = default;
};

struct Document {
  std::string text;
  std::vector<text::Token> words;
  std::vector<text::Sentence> sentences;
  std::vector<Mention> mentions;
  bool annotated = true;  // somebody looked for entities in it
  // where it was read, for messages; empty: from no file
  std::string_view file;  // a name that outlives the document
  std::uint64_t line = 0;
  std::vector<std::uint32_t> lines;  // of its words, where each has its own
  bool after_docstart = false;       // a line -DOCSTART- came before it, or another border of documents

  void clear() {
    text.clear();
    words.clear();
    sentences.clear();
    mentions.clear();
    annotated = true;
    file = {};
    line = 0;
    lines.clear();
    after_docstart = false;
  }

  /// Appends a word and, before it, the space that separates it from the one before.
  void add_word(std::string_view word);
  /// A sentence of a corpus, with the lines of its words.
  void add_sentence(const text::Corpus& corpus, std::size_t s);
  /// The same, and whether a document begins with it. Of sentences in their order.
  void add_sentence(const text::Corpus& corpus, std::size_t s, std::size_t& documents);
  /// The words since the last call are a sentence.
  void end_sentence();
  /// Entities of a sentence that begins with word `first`, by its tags.
  void add_mentions(std::uint32_t first, std::span<const text::Tag> tags, text::SchemeId scheme,
                    const std::vector<std::string>& types);

  /// file:line of a word
  std::string where(std::size_t word) const;

  std::string_view in(const Mention& m) const {
    return std::string_view(text).substr(words[m.begin].begin, words[m.end - 1].end - words[m.begin].begin);
  }
};

/// Whether lines of its files say where documents begin.
inline bool has_borders(const text::Corpus& corpus) {
  return corpus.met.docstarts > 0 || corpus.document.size() > corpus.files.size() + 1;
}
/// Of a format that has no place for them; empty: there are none.
ENTRAIN_PART std::string words_of_lost_borders(const text::Corpus& corpus, std::string_view format);

/// Sentence s of a corpus with the entities that these tags say.
ENTRAIN_PART Document document_of(const text::Corpus& corpus, std::size_t s, std::span<const text::Tag> tags,
                                  const std::vector<std::string>& types, text::SchemeId scheme);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/document.ipp"
#endif
