// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A text with its words, its sentences and its entities. Prediction and conversion pass it from a reader of any format
// to a writer of any format.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/token.hpp"
#include "entrain/text/tags/scheme.hpp"

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
  bool annotated = true;  // its source marks entities, possibly none
  // where it was read, for messages; empty: not from a file
  std::string_view file;  // a name that outlives the document
  std::uint64_t line = 0;
  std::vector<std::uint32_t> lines;  // of its words, if each word has a line of its own
  bool after_docstart = false;       // a line -DOCSTART- or another document border precedes it

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

  /// Appends a word, and before it the space that separates it from the previous word.
  void add_word(std::string_view word);
  /// Appends a sentence of a corpus, with the lines of its words.
  void add_sentence(const text::Corpus& corpus, std::size_t s);
  /// The same; counts in `documents` if a document begins with it. Call it for sentences in order.
  void add_sentence(const text::Corpus& corpus, std::size_t s, std::size_t& documents);
  /// Makes the words since the last call a sentence.
  void end_sentence();
  /// Adds the entities of a sentence that begins with word `first`, from its tags.
  void add_mentions(std::uint32_t first, std::span<const text::Tag> tags, text::SchemeId scheme,
                    const std::vector<std::string>& types);

  /// file:line of a word.
  std::string where(std::size_t word) const;

  std::string_view in(const Mention& m) const {
    return std::string_view(text).substr(words[m.begin].begin, words[m.end - 1].end - words[m.begin].begin);
  }
};

/// Whether lines of the corpus's files mark the beginning of documents.
inline bool has_borders(const text::Corpus& corpus) {
  return corpus.met.docstarts > 0 || corpus.document.size() > corpus.files.size() + 1;
}
/// The warning for a format that cannot mark document borders; empty: the corpus has none.
ENTRAIN_INLINE std::string words_of_lost_borders(const text::Corpus& corpus, std::string_view format);

/// Sentence s of a corpus with the entities that these tags mark.
ENTRAIN_INLINE Document document_of(const text::Corpus& corpus, std::size_t s, std::span<const text::Tag> tags,
                                    const std::vector<std::string>& types, text::SchemeId scheme);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/output/document.ipp"
#endif
