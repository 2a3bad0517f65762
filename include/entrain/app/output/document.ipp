// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of document.hpp.
#pragma once
#include <string>

#include "entrain/app/output/document.hpp"
#include "entrain/text/tags/spans.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::app {

ENTRAIN_INLINE void Document::add_word(std::string_view word) {
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

ENTRAIN_INLINE void Document::add_sentence(const text::Corpus& corpus, std::size_t s) {
  file = corpus.file_of(corpus.sentence[s]);
  for (std::size_t i = corpus.sentence[s]; i < corpus.sentence[s + 1]; ++i) {
    add_word(corpus.token(i));
    lines.push_back(corpus.line[i]);
  }
  end_sentence();
}

ENTRAIN_INLINE void Document::add_sentence(const text::Corpus& corpus, std::size_t s, std::size_t& documents) {
  if (documents < corpus.document.size() && corpus.document[documents] == s) {
    ++documents;
    after_docstart = has_borders(corpus);
  }
  add_sentence(corpus, s);
}

ENTRAIN_INLINE std::string Document::where(std::size_t word) const {
  if (file.empty()) return {};
  return std::string(file) + ":" + std::to_string(word < lines.size() ? lines[word] : line);
}

ENTRAIN_INLINE void Document::end_sentence() {
  const std::uint32_t begin = sentences.empty() ? 0 : sentences.back().end;
  if (begin < words.size()) sentences.push_back({begin, static_cast<std::uint32_t>(words.size())});
}

ENTRAIN_INLINE void Document::add_mentions(std::uint32_t first, std::span<const text::Tag> tags, text::SchemeId scheme,
                                           const std::vector<std::string>& types) {
  text::with_scheme(scheme, [&](auto id) {
    text::decode<decltype(id)>(tags, [&](const text::Span& span) {
      mentions.push_back({first + span.begin, first + span.end, types[static_cast<std::size_t>(span.type)]});
    });
  });
}

ENTRAIN_INLINE std::string words_of_lost_borders(const text::Corpus& corpus, std::string_view format) {
  if (!has_borders(corpus)) return {};
  const std::size_t n = corpus.document.size();
  return corpus.name + ": " + std::to_string(n) + (n == 1 ? " document begins" : " documents begin") +
         " with a separate line, such as -DOCSTART-, which " + std::string(format) +
         " cannot represent: dropped; --format conll keeps these lines";
}

ENTRAIN_INLINE Document document_of(const text::Corpus& corpus, std::size_t s, std::span<const text::Tag> tags,
                                    const std::vector<std::string>& types, text::SchemeId scheme) {
  Document d;
  d.add_sentence(corpus, s);
  d.add_mentions(0, tags, scheme, types);
  return d;
}

}  // namespace entrain::app
