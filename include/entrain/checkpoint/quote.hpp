// text > batch > embed > encode > head > optim > [checkpoint]
//
// Names from files for an error line: in quotes, short, without characters that move a terminal's cursor.
#pragma once
#include <string>
#include <string_view>

namespace entrain::checkpoint::detail {

/// `it's\n` becomes 'it's?'; beyond 80 bytes it is cut and ends in "...".
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 80;
  std::string out = "'";
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(byte < 0x20 || byte == 0x7F ? '?' : c);
  }
  out.append(text.size() > most ? "...'" : "'");
  return out;
}

}  // namespace entrain::checkpoint::detail
