// [text] > batch > embed > encode > head > optim > checkpoint
//
// The unit of text in a file without annotations.
#pragma once
#include <cstdint>

namespace entrain::text {

/// The unit that is split by itself: lines up to a blank one, as on a printed page, or each line.
enum class TextUnit : std::uint8_t { paragraph, line };

}  // namespace entrain::text
