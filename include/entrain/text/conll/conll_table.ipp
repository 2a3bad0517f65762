// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of conll_table.hpp.
#pragma once
#include <algorithm>

#include "entrain/text/conll/conll_cells.hpp"
#include "entrain/text/conll/conll_table.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/csv/csv_record.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text::detail {

ENTRAIN_INLINE std::string wrong_count(std::string_view line, int found, int enough, const ConllLayout& layout,
                                       bool strict) {
  std::string s = std::to_string(found) + (found == 1 ? " column, expected " : " columns, expected ");
  s += strict ? std::to_string(layout.columns) : "at least " + std::to_string(enough);
  if (layout.columns > 1) s += " separated by " + separator_name(layout.separator, layout.comma);
  if (layout.separator == Separator::tab && found == 1 && line.find(' ') != line.npos)
    s += "; this line has only spaces";
  return s;
}

/// The first fault of the fields between commas; empty: none.
inline std::string fault_of_fields(std::string_view line, char comma) {
  CsvFault fault = CsvFault::none;
  each_csv_field(line, {comma, true}, [&](const CsvField& field) {
    if (fault == CsvFault::none) fault = field.fault;
  });
  switch (fault) {
    case CsvFault::quote_inside:
      return "a quote in a field that does not begin with one";
    case CsvFault::after_quote:
      return "text after a closing quote";
    case CsvFault::not_closed:
      return "a quote that is not closed on its line";
    default:
      return {};
  }
}

ENTRAIN_INLINE void read_row(std::string_view line, const ConllLayout& layout, bool strict, Columns& columns,
                             TableRow& row) {
  row = {};
  split(line, layout, columns);
  if (layout.separator == Separator::commas) row.wrong = fault_of_fields(line, layout.comma);
  const int found = static_cast<int>(columns.size());
  const int enough = layout.tag_last ? layout.token_column + 2 : std::max(layout.token_column, layout.tag_column) + 1;
  if (row.wrong.empty() && (strict ? found != layout.columns : found < enough))
    row.wrong = wrong_count(line, found, enough, layout, strict);
  if (!row.wrong.empty()) return;
  const auto cell = [&](int k) {
    return k >= 0 && k < found ? columns[static_cast<std::size_t>(k)] : std::string_view();
  };
  row.token = cell(layout.token_column);
  row.tag = layout.tag_last ? columns.back() : cell(layout.tag_column);
  row.sentence = cell(layout.sentence_column);
  row.number = cell(0);
  if (!layout.tag_key.empty()) row.tag = value_of(row.tag, layout.tag_key);
}

/// Reads a table line by line.
class TableReader {
 public:
  TableReader(Corpus& corpus, const ConllLayout& layout, Problems& problems, const ConllOptions& options,
              bool check_utf8, std::uint64_t lines)
      : corpus_(corpus),
        layout_(layout),
        problems_(problems),
        options_(options),
        check_utf8_(check_utf8),
        line_(static_cast<std::uint32_t>(lines)) {}

  void read(std::string_view bytes) {
    const std::uint32_t before = line_;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t from = at;
      const std::string_view line = next_line(bytes, at);
      ++line_;
      corpus_.met.crlf += at <= bytes.size() && from + line.size() < at - 1;
      read_line(line);
    }
    corpus_.end_sentence();
    corpus_.met.lines = line_ - before;
  }

 private:
  void read_line(std::string_view line) {
    Met& met = corpus_.met;
    if (line_ == layout_.header_line) {
      ++met.headers;
    } else if (all_blank(line)) {
      corpus_.end_sentence();
      ++met.separators;
      met.blank_separators += !line.empty();
    } else if (line[0] == '#' && is_comment(line)) {
      if (starts_document(line)) corpus_.start_document();
      ++met.comments;
    } else if (is_docstart(line)) {
      corpus_.start_document();
      ++met.docstarts;
    } else if (layout_.numbered && is_word_range(line)) {
      ++met.word_ranges;
    } else {
      read_word(line);
    }
  }
  bool is_comment(std::string_view line) {
    if (layout_.hash != Hash::mixed) return layout_.hash == Hash::comment;
    return (is_remark(line) || layout_.hash_tokens == 0) && !hash_is_token(line, layout_, columns_);
  }

  void read_word(std::string_view line) {
    read_row(line, layout_, options_.strict, columns_, row_);
    if (row_.wrong.empty() && layout_.tag_column != ConllLayout::none) take_tag();
    if (!row_.wrong.empty()) return refuse(std::move(row_.wrong));
    if (begins_sentence()) corpus_.end_sentence();
    const std::string_view token = plain(row_.token, token_);
    if (layout_.tag_column == ConllLayout::none)
      corpus_.push(token, line_);
    else
      corpus_.push(token, tag_, line_);
    corpus_.met.empty_tokens += token.empty();
    if (check_utf8_) corpus_.met.invalid_tokens += !is_valid_utf8(token);
  }

  bool begins_sentence() {
    if (layout_.restarts) {
      if (start_.empty()) start_ = row_.number;
      return row_.number == start_;
    }
    if (layout_.sentence_column == ConllLayout::none || row_.sentence.empty() || row_.sentence == sentence_)
      return false;
    sentence_ = row_.sentence;
    return true;
  }

  /// Sets the word's tag: a type alone becomes I- of that type.
  void take_tag() {
    const std::string_view tag = plain(row_.tag, tag_);
    if (!layout_.tag_key.empty() && row_.tag.data() == nullptr) {
      tag_ = "O";
      ++corpus_.met.keyless;
    } else if (tag.empty()) {
      row_.wrong = "the tag is empty";
    } else if (!layout_.types_alone || tag == "O") {
      tag_ = tag;
    } else if (is_type_alone(tag)) {
      tag_ = "I-" + std::string(tag);
    } else {
      row_.wrong = "tag '" + excerpt(tag) + "' among types without a prefix, which are read as IO";
    }
  }

  /// The field with each doubled quote as one.
  std::string_view plain(std::string_view cell, std::string& room) const {
    if (layout_.separator != Separator::commas || cell.find('"') == cell.npos) return cell;
    room.clear();
    CsvField{.bytes = cell, .quoted = true, .doubled = true}.append_to(room);
    return room;
  }

  void refuse(std::string reason) {
    ++corpus_.met.malformed;
    if (problems_.total++ < options_.problem_cap) problems_.list.push_back({line_, std::move(reason)});
  }

  Corpus& corpus_;
  const ConllLayout& layout_;
  Problems& problems_;
  const ConllOptions& options_;
  const bool check_utf8_;
  std::uint32_t line_;
  Columns columns_;
  TableRow row_;
  std::string token_, tag_;
  std::string_view sentence_, start_;  // of the word before; of the first word
};

ENTRAIN_INLINE void read_table(Corpus& corpus, const ConllLayout& layout, Problems& problems,
                               const ConllOptions& options, std::string_view bytes, bool check_utf8,
                               std::uint64_t lines_before) {
  TableReader(corpus, layout, problems, options, check_utf8, lines_before).read(bytes);
}

}  // namespace entrain::text::detail
