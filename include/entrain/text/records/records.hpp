// [text] > batch > embed > encode > head > optim > checkpoint
//
// Files of any size with a record a line, a block of lines at a time: the common part of JSON Lines and annotated text.
// Read record.hpp, then record_reader.hpp.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/files/block_source.hpp"
#include "entrain/text/files/file.hpp"  // ends_lines_in_cr_alone
#include "entrain/text/records/record.hpp"
#include "entrain/text/records/record_reader.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// Ends records that are lines.
struct LineEnd {
  static constexpr std::string_view unit = "a line", hint = "check that each record is on a line of its own";
  static std::size_t cut(std::string_view bytes) { return bytes.rfind('\n') + 1; }
};

/// A format fills in a cleared record from a line without its end, or throws entrain.text.40 or .42. A user-defined
/// format is one function.
template <class F>
concept RecordFormat = requires(std::string_view bytes, const Where& where, const RecordOptions& options,
                                Record& record) {
  F::read(bytes, where, options, record);
};

namespace detail {

/// Why a line is unusable, without its place. A file whose lines end in CR alone is one line, which no format accepts.
///
/// block     the block of the line
/// throws    entrain.text.10, unless lenient
[[gnu::cold]] inline std::string_view reason_of(const Error& e, const Where& where, std::string_view block,
                                                bool lenient) {
  if (where.line == 1 && ends_lines_in_cr_alone(block)) {
    if (!lenient) refuse_cr_alone(where.file, block);
    return "lines end in CR only, expected LF or CR LF; convert them: tr '\\r' '\\n'";
  }
  return std::string_view(e.what()).substr(e.id().size() + where.words().size() + 4);
}

/// Throws the error of a line if the reader is not lenient: the reason, and the remedy.
[[noreturn, gnu::cold]] inline void refuse_line(const Error& e, std::string_view where, std::string_view reason) {
  throw Error(
      e.id(), where, reason, {},
      e.id() == "entrain.text.41"
          ? reason.find("--offsets ") != reason.npos
                ? "check --list all lists every such entity"
                : "correct it, or use --misaligned snap or --misaligned drop; check --list all lists every such entity"
          : "check --list all lists every such line: correct them, or skip them with --lenient");
}

}  // namespace detail

/// A source: the sentences of files with a record a line, in their order, one corpus a block.
///
/// Empty and blank lines are skipped. Records that an annotator did not accept are left out and counted. Under
/// RecordOptions::lenient, so is a line that is not UTF-8, or that the format or the reader of records refuses; else
/// its error is thrown.
///
/// Format    of a line    Scheme    of tags in the files, and of those that annotations become
template <RecordFormat Format, TagScheme Scheme, WordSplitter Words, SentenceSplitter Sentences> class Records
    : public BlockSource<LineEnd> {
 public:
  using Tags = Scheme;
  using Item = Corpus;

  explicit Records(std::vector<std::string> files, RecordOptions options = {},
                   std::size_t block_bytes = std::size_t{1} << 18)
      : BlockSource(std::move(files), block_bytes), options_(std::move(options)) {}

  /// Makes a corpus from a block.
  class Work {
   public:
    explicit Work(const RecordOptions& options) : options_(options), read_record_(options) {}

    /// throws    entrain.text.40: not of this format    .41: as Aligner    .42: as RecordReader    .43: not UTF-8
    ///           .10: lines end in CR only, if that makes the line no record
    void operator()(Raw& raw, Corpus& corpus) {
      corpus.clear();
      corpus.name = raw.name;
      const std::string_view bytes = detail::without_mark(raw.block, corpus.met);
      std::uint64_t line = raw.block.line;
      const bool utf8 = is_valid_utf8(bytes);  // all lines at once; line by line if that fails
      whole_ = bytes;
      for (std::size_t at = 0; at < bytes.size(); ++line) {
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
        std::string_view record = bytes.substr(at, end - at);
        at = end + 1;
        ++corpus.met.lines;
        if (record.ends_with('\r')) {
          record.remove_suffix(1);
          corpus.met.crlf += at <= bytes.size();
        }
        read_line(record, line, utf8 || is_valid_utf8(record), corpus);
      }
    }

    /// The latest record, and its words as places in its text.
    const Record& record() const { return record_; }
    std::span<const Token> words() const { return read_record_.words(); }

   private:
    void read_line(std::string_view bytes, std::uint64_t line, bool utf8, Corpus& corpus) {
      if (bytes.find_first_not_of(" \t\r") == bytes.npos) {
        ++corpus.met.separators;
        corpus.met.blank_separators += !bytes.empty();
        return;
      }
      const Where where{corpus.name, line};
      try {
        if (!utf8) refuse_record_not_utf8(where);
        record_.clear();
        Format::read(bytes, where, options_, record_);
        corpus.met.lone_surrogates += record_.lone_surrogates;
        if (record_.accepted)
          read_record_(record_, where, corpus);
        else
          ++corpus.met.unaccepted;
      } catch (const Error& e) {
        const std::string place = where.words();
        const std::string_view reason = detail::reason_of(e, where, whole_, options_.lenient);
        if (!options_.lenient) detail::refuse_line(e, place, reason);
        ++corpus.met.malformed;
        if (corpus.met.problems() <= options_.problem_cap)
          corpus.problems.push_back({static_cast<std::uint32_t>(line), std::string(reason)});
      }
    }

    RecordOptions options_;
    RecordReader<Scheme, Words, Sentences> read_record_;
    Record record_;
    std::string_view whole_;  // the current block
  };
  Work work() const { return Work(options_); }

 private:
  RecordOptions options_;
};

}  // namespace entrain::text
