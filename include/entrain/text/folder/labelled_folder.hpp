// [text] > batch > embed > encode > head > optim > checkpoint
//
// A folder of text files: its folders are the labels, as in many corpora of reviews.
//
//   reviews/pos/0_9.txt   reviews/pos/1_7.txt   reviews/neg/0_3.txt
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/texts.hpp"

namespace entrain::text {

/// A source: each file .txt, .txt.gz or .txt.zst in a folder FOLDER/LABEL is a text with that label. Labels are in the
/// order of their bytes, files of a label in natural order (2.txt before 10.txt). Names that begin with a dot are not
/// looked at. An empty file is an empty text.
///
/// Another file, a folder in the folder of a label, and a text that is not UTF-8 are thrown, or left out and counted if
/// lenient.
///
/// throws    entrain.text.3: a folder that cannot be read    .55: no folder of a label
class LabelledFolder {
 public:
  using Item = Texts;
  using Cursor = std::uint64_t;                                 // the number of the next file
  static constexpr std::size_t longest = std::size_t{1} << 24;  // bytes of a text, 16 MiB

  struct Raw {
    std::string name, label, bytes;
    std::string fault;  // why it is not a text; empty: it is one
  };

  ENTRAIN_INLINE LabelledFolder(const std::string& folder, bool lenient);

  void start(std::uint32_t, Cursor at) { at_ = at; }
  Cursor cursor() const { return at_; }
  /// throws    what text::read_file throws    entrain.text.56: a file that is no text with a label
  ENTRAIN_INLINE bool read(Raw& raw);

  /// Makes the text of a file.
  auto work() const {
    return [](const Raw& raw, Texts& texts) { take(raw, texts); };
  }

 private:
  struct File {
    std::string path, label, fault;
  };
  ENTRAIN_INLINE static void take(const Raw& raw, Texts& texts);

  std::vector<File> files_;
  Cursor at_ = 0;
  bool lenient_;
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/folder/labelled_folder.ipp"
#endif
