// entrain: the second argument of embed::Bert is not a family such as family::Bert; see family/contract.hpp.
// entrain: this family has no 'static constexpr std::string_view architecture'
// entrain: this family has no type Tokenizer
// entrain: this family has no 'static constexpr int first_position'
// entrain: this family has no 'static constexpr family::Only only[]'
#include "entrain/embed/bert.hpp"
using namespace entrain;
struct Nothing {};
struct Nameless {
  static constexpr std::string_view model_type = "nameless";
};
struct Base {
  static constexpr std::string_view model_type = "toy", architecture = "Toy", type = "::Toy", embedding = "Toy";
  static constexpr family::Keys keys = family::Bert::keys;
  static constexpr family::Names names = family::Bert::names;
};
struct WithoutTokenizer : Base {
  static constexpr int first_position = 0;
  static constexpr family::Only only[]{{"is_decoder", "false", "take an encoder"}};
};
struct WithoutPosition : Base {
  static constexpr family::Only only[]{{"is_decoder", "false", "take an encoder"}};
  using Tokenizer = text::WordPiece;
};
struct WithoutOnly : Base {
  static constexpr int first_position = 0;
  using Tokenizer = text::WordPiece;
};
#if WRONG == 1
using Family = Nothing;
#elif WRONG == 2
using Family = Nameless;
#elif WRONG == 3
using Family = WithoutTokenizer;
#elif WRONG == 4
using Family = WithoutPosition;
#elif WRONG == 5
using Family = WithoutOnly;
#else
using Family = family::Bert;
#endif
using Embed = embed::Bert<embed::EmbeddingConfig{}, Family>;
static_assert(Embed::out > 0);
