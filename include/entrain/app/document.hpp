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
#include <utility>
#include <vector>

#include "entrain/text/corpus.hpp"
#include "entrain/text/labels.hpp"
#include "entrain/text/sentences.hpp"
#include "entrain/text/spans.hpp"
#include "entrain/text/splitter.hpp"
#include "entrain/text/utf8.hpp"

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

  void clear() {
    text.clear();
    words.clear();
    sentences.clear();
    mentions.clear();
  }

  /// Appends a word and, before it, the space that separates it from the one before.
  void add_word(std::string_view word) {
    std::uint32_t begin_cp = 0;
    if (!words.empty()) {
      text += ' ';
      begin_cp = words.back().end_cp + 1;
    }
    const auto begin = static_cast<std::uint32_t>(text.size());
    text += word;
    words.push_back({begin, static_cast<std::uint32_t>(text.size()), begin_cp,
                     begin_cp + static_cast<std::uint32_t>(text::count_code_points(word))});
  }
  /// The words since the last call are a sentence.
  void end_sentence() {
    const std::uint32_t begin = sentences.empty() ? 0 : sentences.back().end;
    if (begin < words.size()) sentences.push_back({begin, static_cast<std::uint32_t>(words.size())});
  }

  std::string_view in(const Mention& m) const {
    return std::string_view(text).substr(words[m.begin].begin, words[m.end - 1].end - words[m.begin].begin);
  }
};

/// Sentence s of a corpus with the entities that its tags say.
template <text::TagScheme S> Document document_of(const text::Corpus& corpus, std::size_t s,
                                                  std::span<const text::Tag> tags, const text::Labels<S>& labels) {
  Document d;
  for (std::size_t i = corpus.sentence[s]; i < corpus.sentence[s + 1]; ++i) d.add_word(corpus.token(i));
  d.end_sentence();
  text::decode<S>(tags, [&](const text::Span& span) {
    d.mentions.push_back({span.begin, span.end, labels.types().name(span.type)});
  });
  return d;
}

}  // namespace entrain::app
