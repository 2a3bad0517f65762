// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// What prediction finds.
#pragma once
#include <cstdint>
#include <string_view>

namespace entrain::predict {

/// A stretch of a text with a type: [begin, end) in bytes and, the same stretch, in code points and in words.
struct Entity {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t begin_cp = 0, end_cp = 0;
  std::uint32_t begin_word = 0, end_word = 0;  // from the text's first
  std::int32_t type_id = 0;
  std::string_view type;  // the tagger's: good for as long as the tagger lives; a zero byte stands behind it

  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
  friend bool operator==(const Entity&, const Entity&) = default;
};

}  // namespace entrain::predict
