// [text] > batch > embed > encode > head > optim > checkpoint
//
// Records of comma-separated values, written so that each field is read back as it is, byte for byte.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace entrain::text {

/// In quotes where it would be read as something else without them: a delimiter, a quote or a line end in it, or a byte
/// order mark before it. Quotes inside are two.
///
/// apart     the delimiters
/// source    RFC 4180, 2.5 to 2.7
inline void append_csv_field(std::string& out, std::string_view field, std::string_view apart) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
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

/// With a line feed behind it. A record of one field does not say what separates others, so any delimiter in it is
/// quoted; an empty one is "", since a line of nothing is no record.
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
