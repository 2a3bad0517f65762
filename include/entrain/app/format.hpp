// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What files are written in: the command line says, or their names, or how they begin.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

enum class Format : std::uint8_t { conll, jsonl, annotated, labelled, csv, tsv, text, npy };

/// What is in a file, whatever its format.
enum class Matter : std::uint8_t {
  sentences,  // conll, jsonl, annotated: of words with tags
  texts,      // labelled, csv, tsv: with one label each
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
ENTRAIN_PART std::string format_name(Format format);

/// `sentences of words with tags`
ENTRAIN_PART std::string matter_name(Matter matter);

/// Of a name, .gz and .zst apart: `csv` of x.csv.gz. Where an ending is used for several formats (.txt, .tsv) or is not
/// known: auto.
ENTRAIN_PART std::string_view format_by_name(std::string_view file);

/// What a file is of which neither the name nor the beginning tells: columns where sentences with tags are read, text
/// for predict, which needs no tags.
enum class Otherwise : std::uint8_t { columns, text };

/// Of --input-format; under auto: by the names, then by how the first file begins, unpacked.
///
///   {                                     jsonl; labelled if "label" is a text or a number, and no list says entities
///   a text, a TAB, a list or a dictionary   annotated
///   text and label or category, a TAB between   tsv, in a file called .tsv
///   lines that hold no tag                text, in a file called .txt
///   tokens with their tags, in a file called .csv, .tsv or .txt   conll, whatever separates them
///   anything else                         conll
///
/// Under Otherwise::text: conll where most lines have as many columns and one of these has a tag in nearly all, and in
/// a file called .tsv; anything else is text. A file called .conll (.iob, ...) is conll, unless it begins with an
/// object of JSON. Of standard input text::beginning_of tells what has arrived. A pipe with a name of its own is not
/// looked into.
///
/// throws    entrain.app.30: files of several formats
ENTRAIN_PART Format format_of(const std::vector<std::string>& files, const Reading& reading,
                              Otherwise otherwise = Otherwise::columns);

/// The same of files to learn from, or to be scored: their sentences have tags.
///
/// throws    entrain.app.41: other files
ENTRAIN_PART Format tagged_format_of(const std::vector<std::string>& files, const Reading& reading);

/// Whether no first bytes of a file can be seen before its reader takes them: of a pipe with a name, of a device, and
/// of standard input that is a terminal or empty.
ENTRAIN_PART bool is_read_unseen(const std::string& file);

/// Where how a file begins decided: `train.tsv: conll, by how it begins; --input-format tsv reads it otherwise`, or
/// that nobody could look; else empty.
ENTRAIN_PART std::string how_format_was_found(const std::string& file, Format format, const Reading& reading);

/// Whether half of its first lines or more have a tag after a word: a text that is none, perhaps.
ENTRAIN_PART bool may_be_columns(const std::string& file);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/format.ipp"
#endif
