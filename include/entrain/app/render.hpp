// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A document as CoNLL lines, as a line of JSON, or in colours for people.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/document.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/report/colour.hpp"
#include "entrain/text/scheme.hpp"

namespace entrain::app {

/// `token TAB tag`, a blank line after each sentence. Appends to `out`; where that is empty, a file may begin. Returns
/// how many entities became one with the entity before them, of their type and right before them, which IO cannot part.
///
/// throws    entrain.app.7 for a word or a label that would be read as something else: with a TAB, a line end or a NUL
/// in it,
///           or a word that starts as -DOCSTART-, the mark of a document
ENTRAIN_PART std::size_t append_conll(std::string& out, const Document& d, text::SchemeId scheme);

/// What to say of so many such entities.
ENTRAIN_PART std::string words_of_joined(std::size_t entities);

/// A text in quotes, as JSON has it. What is not UTF-8 becomes U+FFFD.
ENTRAIN_PART void append_json(std::string& out, std::string_view s);

/// One line:
///
///   {"text":"Ada met Bo.","tokens":[[0,3],[4,7],[8,10],[10,11]],"sentences":[4],
///    "entities":[{"start":0,"end":3,"label":"PER","text":"Ada"}]}
///
/// Offsets count code points, as Python's strings do; `sentences` says how many words each has. What is not UTF-8
/// becomes U+FFFD. annotated: false of a text in which nobody looked for entities: the line does not say any.
ENTRAIN_PART void append_jsonl(std::string& out, const Document& d, bool annotated = true);

/// The text with its entities in colours, each type in one of its own; without colours, as in [Ada](PER).
class Colours {
 public:
  void append(std::string& out, const Document& d, const report::Terminal& at);

 private:
  report::Style style_of(std::string_view type);
  std::vector<std::string> types_;  // in order of first sight
};

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/render.ipp"
#endif
