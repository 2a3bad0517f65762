// tests > [text]
//
// Comma-separated values read a letter at a time: the rule of csv_record.hpp, with nothing in common with how it is
// kept there.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/csv/csv_layout.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace test {

/// line|text|label, each with a newline after it that no text can be taken for.
inline std::string csv_row(std::uint64_t line, std::string_view text, std::string_view label) {
  return std::to_string(line).append("|").append(text).append("|").append(label).append("\x1E\n");
}

struct CsvByLetter {
  std::string rows;        // csv_row of each that is as it should be
  std::uint64_t bad = 0;   // records that are not
  std::uint64_t line = 1;  // after what was read

  CsvByLetter(std::string_view bytes, const entrain::text::CsvLayout& layout) {
    for (std::size_t at = 0; at < bytes.size();) at = record(bytes, at, layout);
  }

 private:
  std::size_t record(std::string_view bytes, std::size_t at, const entrain::text::CsvLayout& layout) {
    enum class State { begin, plain, quoted, closed } state = State::begin;
    const std::uint64_t number = line;
    const std::size_t begin = at;
    std::vector<std::string> fields{""};
    bool wrong = false, ended = false;
    if (bytes.substr(at, 3) == "\xEF\xBB\xBF") at += 3;
    for (; at < bytes.size() && !ended; ++at) {
      const char c = bytes[at];
      line += c == '\n';
      if (state == State::quoted) {
        if (c == '"')
          state = State::closed;
        else
          fields.back() += c;
      } else if (c == '\n') {
        ended = true;
      } else if (c == '\r' && (at + 1 == bytes.size() || bytes[at + 1] == '\n')) {
        continue;
      } else if (c == layout.form.delimiter) {
        fields.emplace_back();
        state = State::begin;
      } else if (c == '"' && layout.form.quotes && (state == State::begin || state == State::closed)) {
        if (state == State::closed) fields.back() += c;
        state = State::quoted;
      } else {
        wrong |= state == State::closed || (c == '"' && layout.form.quotes) || c == '\r';
        fields.back() += c;
        state = State::plain;
      }
    }
    const bool blank = fields.size() == 1 && fields[0].empty() && state == State::begin;
    if (blank || number == layout.header_line || number == layout.delimiter_line) return at;
    wrong |= state == State::quoted || fields.size() != layout.columns;
    const std::string label = wrong || layout.label == entrain::text::CsvLayout::none ? "" : fields[layout.label];
    wrong |= layout.label != entrain::text::CsvLayout::none && label.empty();
    if (wrong || !entrain::text::is_valid_utf8(bytes.substr(begin, at - begin)))
      ++bad;
    else
      rows += csv_row(number, fields[layout.text], label);
    return at;
  }
};

}  // namespace test
