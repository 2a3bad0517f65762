// [text] > batch > embed > encode > head > optim > checkpoint
//
// JSON Lines of any size with a text and one label for the whole of it on each line: the JSON form of
// text/csv/csv.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/error.hpp"
#include "entrain/text/corpus/texts.hpp"
#include "entrain/text/csv/csv_options.hpp"
#include "entrain/text/files/block_source.hpp"
#include "entrain/text/records/record.hpp"   // Where
#include "entrain/text/records/records.hpp"  // LineEnd, refuse_line
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// The keys of the text and the label: like columns of a table (CsvOptions), but without numbers.
class LabelledKeys {
 public:
  LabelledKeys() = default;
  explicit LabelledKeys(const CsvOptions& said) : text_(said.text), label_(said.label), labels_(said.labels) {}

  bool is_text(std::string_view key) const { return key == (text_.empty() ? std::string_view("text") : text_); }
  /// `category` only if the options name no label key
  bool is_label(std::string_view key) const {
    return labels_ && (label_.empty() ? key == "label" || key == "category" : key == label_);
  }
  bool goes_before(std::string_view key) const { return key == "label" || !label_.empty(); }
  bool labels() const { return labels_; }
  std::string text() const { return text_.empty() ? "text" : text_; }
  std::string label() const { return label_.empty() ? "label or category" : label_; }

 private:
  std::string text_, label_;
  bool labels_ = true;
};

/// Whether the first line of a file with this beginning has a text and a label that is not a list, and no list of
/// entities or tags.
ENTRAIN_INLINE bool begins_labelled(std::string_view head, const LabelledKeys& keys);

/// {"text": "...", "label": "..."}, in any order; other keys are skipped. A label may be a number or true or false.
/// lone_surrogates counts halves of surrogate pairs, each read as U+FFFD; label_at gets the bytes [first, second) of
/// the label's value. Returns whether an annotator accepted the line ("answer").
///
/// throws    entrain.text.40: not JSON, or another value    .42: no text, no label, or two of them
ENTRAIN_INLINE bool read_labelled(std::string_view bytes, const Where& where, const LabelledKeys& keys,
                                  std::string& text, std::string& label, std::uint64_t* lone_surrogates = nullptr,
                                  std::pair<std::size_t, std::size_t>* label_at = nullptr);

/// A source: texts with their labels, in the order of the files, a block of them at a time. Empty and blank lines are
/// skipped; lines that an annotator did not accept are left out and counted.
///
/// A faulty line is thrown, or left out and counted if options.lenient. An empty text is a text.
class LabelledJson : public BlockSource<LineEnd> {
 public:
  using Item = Texts;

  explicit LabelledJson(std::vector<std::string> files, const CsvOptions& options = {},
                        std::size_t block_bytes = std::size_t{1} << 18)
      : BlockSource(std::move(files), block_bytes), keys_(options), lenient_(options.lenient) {}

  /// Makes texts from a block.
  class Work {
   public:
    Work(LabelledKeys keys, bool lenient) : keys_(std::move(keys)), lenient_(lenient) {}

    /// throws    as read_labelled    entrain.text.43: not UTF-8    .10: lines end in CR only
    ENTRAIN_INLINE void operator()(Raw& raw, Texts& texts);

   private:
    void take(std::string_view bytes, const Where& where, Texts& texts);

    LabelledKeys keys_;
    bool lenient_;
    std::string text_, label_;
    std::string_view whole_;  // the current block
  };
  Work work() const { return Work(keys_, lenient_); }

 private:
  LabelledKeys keys_;
  bool lenient_;
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/labelled_json.ipp"
#endif
