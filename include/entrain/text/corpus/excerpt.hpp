// [text] > batch > embed > encode > head > optim > checkpoint
//
// A part of foreign text in a message: on one line, without characters that a terminal would act on, and short.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/text/corpus/token_fault.hpp"  // code_point_name
#include "entrain/text/unicode/unicode.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// The first `most` code points; "..." replaces the rest. Names replace line ends, controls and bytes that are not
/// UTF-8.
inline std::string excerpt(std::string_view s, std::size_t most = 40) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t n = 0; at < s.size() && n < most; ++n) {
    const CodePoint p = decode(s, at);
    if (p.cp == '\n')
      out += "\\n";
    else if (p.cp == '\r')
      out += "\\r";
    else if (p.cp == '\t')
      out += "\\t";
    else if (!p.valid)
      out.append("<").append(code_point_name(static_cast<unsigned char>(s[at])).substr(4)).append(">");
    else if (is_control(p.cp) || p.cp == 0x85 || p.cp == 0x2028 || p.cp == 0x2029 || is_invisible(p.cp))
      out.append("<").append(code_point_name(p.cp)).append(">");
    else
      out.append(s, at, p.bytes);
    at += p.bytes;
  }
  return at < s.size() ? out + "..." : out;
}

/// The last `most` code points, in the same form; the text must be UTF-8.
inline std::string excerpt_of_end(std::string_view s, std::size_t most) {
  std::size_t at = s.size();
  for (std::size_t n = 0; at > 0 && n < most; ++n) do
      --at;
    while (at > 0 && (static_cast<unsigned char>(s[at]) & 0xC0) == 0x80);
  return (at > 0 ? "..." : "") + excerpt(s.substr(at), most);
}

}  // namespace entrain::text
