// [text] > batch > embed > encode > head > optim > checkpoint
//
// Texts with labels in files of comma-separated values of any size, a block of records at a time. Read csv_record.hpp
// first: it defines a record.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/texts.hpp"
#include "entrain/text/csv/csv_layout.hpp"
#include "entrain/text/csv/csv_record.hpp"
#include "entrain/text/files/block_source.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// Ends the records of comma-separated values; knows the layout of the current file.
class CsvRecords {
 public:
  static constexpr std::size_t longest = std::size_t{1} << 24;  // 16 MiB
  static constexpr std::string_view unit = "a record",
                                    hint = "if a quote is not closed, --no-quotes reads quotes as ordinary characters";

  CsvRecords() = default;
  explicit CsvRecords(CsvOptions options) : options_(std::move(options)) {}

  bool begin(const std::string& name, std::string_view head, bool whole) {
    CsvLayout layout;
    if (!find_csv_layout(name, head, whole, options_, layout)) return false;
    layout_ = std::make_shared<const CsvLayout>(layout);
    return true;
  }
  std::size_t cut(std::string_view bytes) const {
    std::size_t end = 0;
    for (std::size_t next = 0; (next = csv_record_end(bytes, end, layout_->form)) != bytes.npos;) end = next;
    return end;
  }
  std::shared_ptr<const CsvLayout> layout() const { return layout_; }

 private:
  CsvOptions options_;
  std::shared_ptr<const CsvLayout> layout_;
};

/// A source: texts with their labels, in the order of the files, a block of them at a time. RFC 4180: quotes, two
/// quotes that mean one, line ends of both kinds, also inside of quotes, a last line without end. The first record
/// names the columns, unless options.header is false; each file has its own first record. Empty lines are skipped. A
/// first line sep=; as Excel writes it sets the delimiter if the options do not, and is not a record.
///
/// With options.many the label field has labels with options.label_delimiter between them; an empty field is no label.
///
/// A faulty record is thrown, or left out and counted if options.lenient. An empty text is a text.
class Csv : public BlockSource<CsvRecords> {
 public:
  using Item = Texts;
  struct Raw : NamedBlock {
    std::shared_ptr<const CsvLayout> layout;
  };

  explicit Csv(std::vector<std::string> files, CsvOptions options = {}, std::size_t block_bytes = std::size_t{1} << 18)
      : BlockSource(std::move(files), block_bytes, CsvRecords(options)), options_(options) {}

  /// throws    the errors of Blocks::read and find_csv_layout
  bool read(Raw& raw) {
    if (!BlockSource::read(raw)) return false;
    raw.layout = blocks_.record().layout();
    return true;
  }

  /// Of the options, what a record's reader needs.
  struct RecordOptions {
    explicit RecordOptions(const CsvOptions& o)
        : lenient(o.lenient), many(o.many && o.labels), delimiter(o.label_delimiter) {}
    bool lenient, many;
    char delimiter;
  };

  /// Makes texts from a block.
  class Work {
   public:
    explicit Work(const RecordOptions& options) : options_(options) {}

    /// throws    entrain.text.50: a faulty record, with the line on which it begins
    void operator()(Raw& raw, Texts& texts) {
      texts.clear();
      texts.name = raw.name;
      const std::string_view bytes = raw.block.bytes;
      const CsvLayout& layout = *raw.layout;
      valid_ = is_valid_utf8(bytes);
      std::uint64_t line = raw.block.line;
      for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t end = std::min(csv_record_end(bytes, at, layout.form), bytes.size());
        const std::string_view record = bytes.substr(at, end - at);
        const auto lines = static_cast<std::uint64_t>(std::count(record.begin(), record.end(), '\n'));
        texts.met.lines += lines + !record.ends_with('\n');
        texts.met.crlf += record.ends_with("\r\n");
        texts.met.bom += detail::after_mark(record, 0) > 0;
        if (blank_csv_record(record))
          ++texts.met.separators;
        else if (line != layout.header_line && line != layout.delimiter_line)
          take(record, layout, line, texts);
        line += lines;
        at = end;
      }
    }

   private:
    void take(std::string_view record, const CsvLayout& layout, std::uint64_t line, Texts& texts) {
      CsvField text, label;
      CsvFault fault = CsvFault::none;
      std::size_t fields = 0;
      each_csv_field(record, layout.form, [&](const CsvField& field) {
        if (fields == layout.text) text = field;
        if (fields == layout.label) label = field;
        if (fault == CsvFault::none) fault = field.fault;
        ++fields;
      });
      label_.clear();
      label.append_to(label_);
      names_.clear();
      if (options_.many)
        split_labels();
      else if (!label_.empty())
        names_.push_back(label_);
      if (const std::string wrong = fault_of(record, layout, fields, fault); !wrong.empty()) {
        refuse(line, wrong, texts);
        return;
      }
      text.append_to(texts.bytes);
      if (layout.label != CsvLayout::none)
        for (const std::string_view name : names_) texts.add_label(name);
      texts.end_text(static_cast<std::uint32_t>(line));
    }
    /// An empty field is no label; blanks at the ends of a label are not part of it.
    void split_labels() {
      if (label_.find_first_not_of(" \t") == label_.npos) return;
      for (std::size_t at = 0; at <= label_.size();) {
        const std::size_t end = std::min(label_.find(options_.delimiter, at), label_.size());
        std::string_view name = std::string_view(label_).substr(at, end - at);
        while (!name.empty() && (name.front() == ' ' || name.front() == '\t')) name.remove_prefix(1);
        while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
        names_.push_back(name);
        at = end + 1;
      }
    }
    /// Why a record is not a text and a label; empty: it is.
    std::string fault_of(std::string_view record, const CsvLayout& layout, std::size_t fields, CsvFault fault) const {
      switch (fault) {
        case CsvFault::quote_inside:
          return "a quote in a field that does not begin with one";
        case CsvFault::after_quote:
          return "text after a closing quote";
        case CsvFault::not_closed:
          return "a quote that is not closed: the rest of the file is one field";
        case CsvFault::carriage_return:
          return "a carriage return in a field without quotes";
        case CsvFault::none:
          break;
      }
      if (fields != layout.columns)
        return std::to_string(fields) + (fields == 1 ? " field" : " fields") + ", expected " +
               std::to_string(layout.columns) + " as in its first record";
      if (layout.label != CsvLayout::none && label_.empty() && !options_.many) return "no label";
      if (std::find(names_.begin(), names_.end(), std::string_view()) != names_.end())
        return "an empty label in '" + excerpt(label_) + "'";
      if (names_.size() > 1)
        if (const std::string name = repeated_name(names_); !name.empty()) return "label '" + excerpt(name) + "' twice";
      if (!valid_ && !is_valid_utf8(record)) return "bytes that are not UTF-8";
      return {};
    }
    void refuse(std::uint64_t line, const std::string& wrong, Texts& texts) const {
      if (!options_.lenient)
        throw Error("entrain.text.50", texts.name + ":" + std::to_string(line), wrong, {},
                    "correct it, or skip such records with --lenient");
      ++texts.met.malformed;
      texts.problems.push_back({static_cast<std::uint32_t>(line), wrong});
    }

    RecordOptions options_;
    bool valid_ = true;                    // true: the whole block is UTF-8
    std::string label_;                    // the field
    std::vector<std::string_view> names_;  // its labels
  };
  Work work() const { return Work(options_); }

 private:
  RecordOptions options_;
};

}  // namespace entrain::text
