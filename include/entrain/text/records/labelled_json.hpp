// [text] > batch > embed > encode > head > optim > checkpoint
//
// JSON Lines of any size with a text and one label for the whole of it on each line, or a list of labels: the JSON form
// of text/csv/csv.hpp.
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
  explicit LabelledKeys(const CsvOptions& said)
      : text_(said.text), label_(said.label), labels_(said.labels), many_(said.many) {}

  bool is_text(std::string_view key) const { return key == (text_.empty() ? std::string_view("text") : text_); }
  bool is_label(std::string_view key) const { return rank(key) > 0; }
  /// Of keys that may have the label, the one of the highest rank has it; 0: no such key. If the options name one,
  /// there is no other.
  int rank(std::string_view key) const {
    if (!labels_) return 0;
    if (!label_.empty()) return key == label_ ? 1 : 0;
    return key == "category" ? 1 : key == "label" ? 2 : many_ && key == "labels" ? 3 : 0;
  }
  bool labels() const { return labels_; }
  bool many() const { return many_; }
  std::string text() const { return text_.empty() ? "text" : text_; }
  std::string label() const {
    return !label_.empty() ? label_ : many_ ? "labels, label or category" : "label or category";
  }

 private:
  std::string text_, label_;
  bool labels_ = true, many_ = false;
};

/// Whether the first line of a file with this beginning has a text and a label that is not a list, and no list of
/// entities or tags; with keys.many(), a list of labels is a label.
ENTRAIN_INLINE bool begins_labelled(std::string_view head, const LabelledKeys& keys);

/// {"text": "...", "label": "..."}, in any order; other keys are skipped. A label may be a number or true or false.
/// With keys.many(), {"text": "...", "labels": ["...", "..."]}: null or an empty list is no label. lone_surrogates
/// counts halves of surrogate pairs, each read as U+FFFD; label_at gets the bytes [first, second) of each label.
/// Returns whether an annotator accepted the line ("answer").
///
/// throws    entrain.text.40: not JSON, or another value    .42: no text, no label, two of them, or an empty label or
///           one twice in a list
ENTRAIN_INLINE bool read_labelled(std::string_view bytes, const Where& where, const LabelledKeys& keys,
                                  std::string& text, std::vector<std::string>& labels,
                                  std::uint64_t* lone_surrogates = nullptr,
                                  std::vector<std::pair<std::size_t, std::size_t>>* label_at = nullptr);

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
    std::string text_;
    std::vector<std::string> labels_;  // of one text
    std::string_view whole_;           // the current block
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
