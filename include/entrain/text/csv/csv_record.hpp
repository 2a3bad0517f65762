// [text] > batch > embed > encode > head > optim > checkpoint
//
// Records of comma-separated values by RFC 4180: the end of a record, and its fields. Both use the same rule for faulty
// records too, so that a file splits into the same records wherever a block ends.
//
//   A record ends with a line end outside of quotes: LF or CR LF. A quote opens only at the begin of a field.
//   The next quote closes, unless it is doubled; a doubled quote means one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/text/unicode/utf8.hpp"  // byte_order_mark

namespace entrain::text {

/// The syntax of a file of values.
struct CsvForm {
  char delimiter = ',';
  bool quotes = true;  // false: a quote is an ordinary character
};

/// The fault of a field.
enum class CsvFault : std::uint8_t { none, quote_inside, after_quote, not_closed, carriage_return };

/// The bytes between its quotes, if it has any. A doubled quote is still two bytes.
struct CsvField {
  std::string_view bytes;
  bool quoted = false, doubled = false;
  CsvFault fault = CsvFault::none;

  void append_to(std::string& to) const {
    if (!doubled) {
      to.append(bytes);
      return;
    }
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t quote = bytes.find('"', at);
      to.append(bytes, at, quote == bytes.npos ? quote : quote + 1 - at);
      at = quote == bytes.npos ? bytes.size() : quote + 2;
    }
  }
};

namespace detail {

/// Skips the byte order mark of a file, or of a file that was appended to another.
inline std::size_t after_mark(std::string_view bytes, std::size_t at) {
  return bytes.substr(at).starts_with(byte_order_mark) ? at + byte_order_mark.size() : at;
}

/// The position of the closing quote; bytes.size(): there is none. at: after the opening quote.
inline std::size_t closing_quote(std::string_view bytes, std::size_t at, bool& doubled) {
  for (;; doubled = true, at += 2) {
    at = bytes.find('"', at);
    if (at == bytes.npos) return bytes.size();
    if (at + 1 == bytes.size() || bytes[at + 1] != '"') return at;
  }
}

}  // namespace detail

/// The position after a record's line end; npos: it has none. at: where the record begins.
inline std::size_t csv_record_end(std::string_view bytes, std::size_t at, CsvForm form) {
  const std::size_t begin = detail::after_mark(bytes, at);
  at = begin;
  std::size_t end = bytes.find('\n', at);  // searched again only if a quoted field extends past it
  for (;;) {
    if (end == bytes.npos) return end;
    if (!form.quotes) return end + 1;
    const std::size_t quote = bytes.substr(at, end - at).find('"');
    if (quote == bytes.npos) return end + 1;
    at += quote + 1;
    if (at - 1 != begin && bytes[at - 2] != form.delimiter) continue;
    bool ignored = false;
    const std::size_t closing = detail::closing_quote(bytes, at, ignored);
    if (closing == bytes.size()) return bytes.npos;
    at = closing + 1;
    if (at > end) end = bytes.find('\n', at);
  }
}

/// Whether the record is only a line end.
inline bool blank_csv_record(std::string_view record) {
  record.remove_prefix(detail::after_mark(record, 0));
  return record.empty() || record == "\n" || record == "\r\n" || record == "\r";
}

/// sink(field) for each field of a record, which extends to csv_record_end or to the file's end.
template <class Sink> void each_csv_field(std::string_view record, CsvForm form, Sink&& sink) {
  std::size_t at = detail::after_mark(record, 0), end = record.size();
  if (end > at && record[end - 1] == '\n') --end;
  if (end > at && record[end - 1] == '\r') --end;
  for (;; ++at) {
    CsvField field;
    std::size_t next = at;
    if (form.quotes && at < record.size() && record[at] == '"') {
      field.quoted = true;
      const std::size_t closing = detail::closing_quote(record, at + 1, field.doubled);
      field.bytes = record.substr(at + 1, closing - at - 1);
      if (closing == record.size()) field.fault = CsvFault::not_closed;
      at = next = closing + (closing < record.size());
    }
    if (next < end) next = std::min(record.substr(0, end).find(form.delimiter, next), end);
    if (field.quoted) {
      if (next > at && field.fault == CsvFault::none) field.fault = CsvFault::after_quote;
    } else {
      field.bytes = record.substr(at, next - at);
      if (form.quotes && field.bytes.find('"') != field.bytes.npos) field.fault = CsvFault::quote_inside;
      if (field.bytes.find('\r') != field.bytes.npos) field.fault = CsvFault::carriage_return;
    }
    sink(field);
    at = next;
    if (at >= end) return;
  }
}

}  // namespace entrain::text
