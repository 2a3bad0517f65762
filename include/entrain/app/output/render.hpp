// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A document as CoNLL lines, as a line of JSON, or in colours for people.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/output/document.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/report/colour.hpp"
#include "entrain/text/tags/scheme.hpp"

namespace entrain::app {

/// `token TAB tag`, a blank line after each sentence. Appends to `out`; if `out` is empty, this is the beginning of a
/// file. Returns how many entities were joined to the entity right before them, which has the same type: IO cannot
/// separate these.
///
/// throws    entrain.app.7 for a word or a label that would be read back as something else: with a TAB, a line end or a
///           NUL in it, or a word that starts as -DOCSTART-, the mark of a document
ENTRAIN_INLINE std::size_t append_conll(std::string& out, const Document& d, text::SchemeId scheme);

/// The warning for that number of joined entities.
ENTRAIN_INLINE std::string words_of_joined(std::size_t entities);

/// A text in quotes, as JSON has it. Bytes that are not UTF-8 become U+FFFD.
ENTRAIN_INLINE void append_json(std::string& out, std::string_view s);

/// One line:
///
///   {"text":"Ada met Bo.","tokens":[[0,3],[4,7],[8,10],[10,11]],"sentences":[4],
///    "entities":[{"start":0,"end":3,"label":"PER","text":"Ada"}]}
///
/// Offsets count code points, as Python's strings do; `sentences` has the number of words of each sentence. Bytes that
/// are not UTF-8 become U+FFFD. annotated: false for a text whose source does not mark entities: the line then has no
/// "entities".
ENTRAIN_INLINE void append_jsonl(std::string& out, const Document& d, bool annotated = true);

/// The text with its entities in colours, one colour per type; without colours, as in [Ada](PER).
class Colours {
 public:
  void append(std::string& out, const Document& d, const report::Terminal& at);

 private:
  report::Style style_of(std::string_view type);
  std::vector<std::string> types_;  // in order of first sight
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/output/render.ipp"
#endif
