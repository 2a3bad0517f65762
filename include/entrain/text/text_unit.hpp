// [text] > batch > embed > encode > head > optim > checkpoint
//
// What of a file without annotations is a text.
#pragma once
#include <cstdint>

namespace entrain::text {

/// What is split by itself: lines up to a blank one, as a printed page has them, or each line.
enum class TextUnit : std::uint8_t { paragraph, line };

}  // namespace entrain::text
