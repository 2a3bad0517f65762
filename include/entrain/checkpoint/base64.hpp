// text > batch > embed > encode > head > optim > [checkpoint]
//
// Bytes that a JSON file holds as text. json_unigram.ipp uses this.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace entrain::checkpoint {

/// The bytes of a text in base64; nothing if the text is none.
///
/// source    RFC 4648, section 4, with its padding
inline std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const auto value = [](char c) -> std::uint32_t {
    if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
    if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
    if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
    return c == '+' ? 62 : c == '/' ? 63 : 64;
  };
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(padding);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const std::uint32_t six = value(c);
    if (six == 64) return std::nullopt;
    bits = bits << 6 | six;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
    bits &= (1u << count) - 1;
  }
  if (bits != 0) return std::nullopt;  // what the padding leaves over
  return bytes;
}

}  // namespace entrain::checkpoint
