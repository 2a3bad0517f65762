// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// An entity that prediction finds.
#pragma once
#include <cstdint>
#include <string_view>

namespace entrain::predict {

/// A typed range of a text: [begin, end) in bytes and, for the same range, in code points and in words.
struct Entity {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t begin_cp = 0, end_cp = 0;
  std::uint32_t begin_word = 0, end_word = 0;  // counted from the text's first word
  std::int32_t type_id = 0;
  std::string_view type;  // owned by the tagger: valid as long as the tagger lives; a zero byte follows it

  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
  friend bool operator==(const Entity&, const Entity&) = default;
};

}  // namespace entrain::predict
