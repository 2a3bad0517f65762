// tests > [text]
//
// Characters that make labels look alike.
#pragma once
#include <string>

namespace test {

inline const std::string zero = "\xE2\x80\x8B", fixed = "\xC2\xA0";  // U+200B, U+00A0
inline const std::string nfc = "\xC3\x89t\xC3\xA9", nfd = "E\xCC\x81te\xCC\x81";

}  // namespace test
