// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The format of files: from the command line, from their names, or from how they begin.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

enum class Format : std::uint8_t { conll, jsonl, annotated, labelled, csv, tsv, folder, text, npy };

/// The kind of data in a file, whatever its format.
enum class Matter : std::uint8_t {
  sentences,  // conll, jsonl, annotated: of words with tags
  texts,      // labelled, csv, tsv, a folder with folders of text files: with labels
  raw,        // text: nothing but text
  numbers     // npy
};
constexpr Matter matter_of(Format format) {
  return format == Format::npy         ? Matter::numbers
         : format == Format::text      ? Matter::raw
         : format <= Format::annotated ? Matter::sentences
                                       : Matter::texts;
}

/// `conll`, `jsonl`, `annotated`, `labelled`, `csv`, `tsv`, `text`, `npy`: as in --input-format
ENTRAIN_INLINE std::string format_name(Format format);

/// `sentences of words with tags`
ENTRAIN_INLINE std::string matter_name(Matter matter);

/// The format of a file's name, without .gz and .zst: `csv` for x.csv.gz. auto if an ending is used for several formats
/// (.txt, .tsv) or is unknown.
ENTRAIN_INLINE std::string_view format_by_name(std::string_view file);

/// The format of a file if neither its name nor its beginning tells: columns where the command reads tagged sentences,
/// text for predict, which needs no tags.
enum class Otherwise : std::uint8_t { columns, text };

/// The format of --input-format; under auto: by the names, then by how the first file begins, after decompression.
///
///   {                                     jsonl; labelled if "label" is a text or a number, and no list holds entities
///   a text, a TAB, a list or a dictionary   annotated
///   text and label or category, a TAB between   tsv, in a file called .tsv
///   lines that hold no tag                text, in a file called .txt
///   tokens with their tags, in a file called .csv, .tsv or .txt   conll, whatever separates them
///   anything else                         conll
///
/// Under Otherwise::text, a file is conll if most lines have the same number of columns and one of these columns has a
/// tag in nearly all lines, or if its name ends in .tsv; any other file is text. A file called .conll (.iob, ...) is
/// conll, unless it begins with a JSON object. For standard input, text::beginning_of returns the bytes that have
/// arrived. A named pipe is not read to find its format.
///
/// throws    entrain.app.30: files of several formats
ENTRAIN_INLINE Format format_of(const std::vector<std::string>& files, const Reading& reading,
                                Otherwise otherwise = Otherwise::columns);

/// The same for files to learn from or to score: their sentences must have tags.
///
/// throws    entrain.app.41: other files
ENTRAIN_INLINE Format tagged_format_of(const std::vector<std::string>& files, const Reading& reading);

/// Whether the first bytes of a file cannot be seen before its reader takes them: for a named pipe, for a device, and
/// for standard input that is a terminal or empty.
ENTRAIN_INLINE bool is_read_unseen(const std::string& file);

/// If the beginning of a file decided its format: `train.tsv: conll, detected from its start; --input-format tsv reads
/// it otherwise`, or that the file could not be looked at first; else empty.
ENTRAIN_INLINE std::string how_format_was_found(const std::string& file, Format format, const Reading& reading);

/// Whether at least half of the first lines have a tag after a word: such a text may be columns instead.
ENTRAIN_INLINE bool may_be_columns(const std::string& file);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/format.ipp"
#endif
