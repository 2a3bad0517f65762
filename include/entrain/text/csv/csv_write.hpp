// [text] > batch > embed > encode > head > optim > checkpoint
//
// Writes records of comma-separated values so that each field is read back unchanged, byte for byte.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "entrain/text/unicode/utf8.hpp"  // byte_order_mark

namespace entrain::text {

/// Adds quotes if a reader would otherwise take the field for something else: it holds a delimiter, a quote or a line
/// end, or begins with a byte order mark. Quotes inside are doubled.
///
/// apart     the delimiters
/// source    RFC 4180, 2.5 to 2.7
inline void append_csv_field(std::string& out, std::string_view field, std::string_view apart) {
  if (field.find_first_of("\"\r\n") == field.npos && field.find_first_of(apart) == field.npos &&
      !field.starts_with(byte_order_mark)) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

/// Ends with a line feed. A record of one field does not show the delimiter, so a field with any possible delimiter is
/// quoted; an empty field is "", because an empty line is not a record.
inline void append_csv_record(std::string& out, std::initializer_list<std::string_view> fields, char delimiter) {
  if (fields.size() == 1) {
    if (fields.begin()->empty())
      out += "\"\"";
    else
      append_csv_field(out, *fields.begin(), ",;\t");
  } else {
    for (const std::string_view& field : fields) {
      if (&field != fields.begin()) out += delimiter;
      append_csv_field(out, field, std::string_view(&delimiter, 1));
    }
  }
  out += '\n';
}

}  // namespace entrain::text
