// [text] > batch > embed > encode > head > optim > checkpoint
//
// A corpus as CoNLL text that every reader understands: token TAB tag, LF, one empty line after each sentence.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/text/conll_line.hpp"
#include "entrain/text/corpus.hpp"

namespace entrain::text {

/// The same tokens, tags, sentences and documents are read back with the layout told, as columns 0 and 1,
/// Separator::tab and Hash::token; without, find_layout guesses it, and a token that starts with '#' may pass for a
/// comment.
///
/// `-DOCSTART-` stands before each document if there are several. Untagged tokens stand alone on their line.
/// throws    entrain.text.12 for a token that would be read as something else: with a TAB or a line end in it,
///           `-DOCSTART-`, or empty or blank beside a tag that is so too
inline std::string to_conll(const Corpus& c) {
  std::string s;
  s.reserve(c.bytes.size() + 4 * c.size());
  const auto refuse = [&](std::size_t i, const char* what) {
    throw Error("entrain.text.12", c.where(i), what, "a token that fits in a line of CoNLL");
  };
  if (c.size() > 0 && c.token(0).substr(0, 3) == "\xEF\xBB\xBF") s += '\n';  // so that it is not taken for a file's BOM
  for (std::size_t k = 0, document = 0; k < c.sentences(); ++k) {
    if (document < c.document.size() && c.document[document] == k) {
      ++document;
      if (c.document.size() > 1) s += c.tags.empty() ? "-DOCSTART-\n\n" : "-DOCSTART-\tO\n\n";
    }
    for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i) {
      const std::string_view token = c.token(i);
      if (token.find_first_of("\t\n\r") != std::string_view::npos) refuse(i, "a token with a TAB or a line end in it");
      if (detail::is_docstart(token)) refuse(i, "a token that starts as the mark of a document does");
      const std::string_view tag = c.tag_name(i);
      if (tag.find_first_of("\t\n\r") != std::string_view::npos) refuse(i, "a tag with a TAB or a line end in it");
      if (detail::all_blank(token) && detail::all_blank(tag))
        refuse(i, c.tag[i] < 0 ? "a blank token without a tag" : "a blank token with a blank tag");
      s += token;
      if (c.tag[i] >= 0) s.append("\t").append(c.tag_name(i));
      s += '\n';
    }
    s += '\n';
  }
  return s;
}

}  // namespace entrain::text
