// [text] > batch > embed > encode > head > optim > checkpoint
//
// Writes a corpus as CoNLL text that every reader understands: token TAB tag, LF, one empty line after each sentence.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/core/error.hpp"
#include "entrain/text/conll/conll_line.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::text {

/// Why a label cannot be written between TABs and line ends, or a token at the start of a line: the text that follows
/// "a token" in a message. Empty if it can.
inline std::string_view unfit_label(std::string_view label) {
  const std::size_t at = label.find_first_of(std::string_view("\t\n\r\0", 4));
  if (at == label.npos) return "";
  return label[at] == '\0' ? "with a NUL in it" : "with a TAB or a line end in it";
}
inline std::string_view unfit_token(std::string_view token) {
  const std::string_view reason = unfit_label(token);
  return reason.empty() && detail::is_docstart(token) ? "that starts like a document marker" : reason;
}

/// Writes the text before a file's first token: an empty line if the token would be taken for a byte order mark.
inline void begin_conll(std::string& out, std::string_view token) {
  if (token.starts_with("\xEF\xBB\xBF")) out += '\n';
}

/// A reader gets the same tokens, tags, sentences and documents back if it is given the layout: columns 0 and 1,
/// Separator::tab, Hash::token and plain. Otherwise find_layout guesses the layout, and a token that starts with '#'
/// may be taken for a comment.
///
/// `-DOCSTART-` is written before each document if there are several. An untagged token is alone on its line.
/// throws    entrain.text.12 for a token that would be read as something else: with a TAB, a line end or a NUL in it,
///           `-DOCSTART-`, or empty or blank with a tag that is so too
inline std::string to_conll(const Corpus& c) {
  std::string s;
  s.reserve(c.bytes.size() + 4 * c.size());
  const auto refuse = [&](std::size_t i, std::string_view what, std::string_view reason = {}) {
    throw Error("entrain.text.12", c.where(i), std::string(what).append(reason),
                "a token that a line of CoNLL can hold");
  };
  if (c.size() > 0) begin_conll(s, c.token(0));
  for (std::size_t k = 0, document = 0; k < c.sentences(); ++k) {
    if (document < c.document.size() && c.document[document] == k) {
      ++document;
      if (c.document.size() > 1) s += c.tags.empty() ? "-DOCSTART-\n\n" : "-DOCSTART-\tO\n\n";
    }
    for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i) {
      const std::string_view token = c.token(i);
      if (const std::string_view reason = unfit_token(token); !reason.empty()) refuse(i, "a token ", reason);
      const std::string_view tag = c.tag_name(i);
      if (const std::string_view reason = unfit_label(tag); !reason.empty()) refuse(i, "a tag ", reason);
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
