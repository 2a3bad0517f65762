// entrain: the second argument of embed::Bert is not a family such as family::Bert; see family/contract.hpp.
#include "entrain/embed/bert.hpp"
using namespace entrain;
struct Nameless {
  static constexpr std::string_view model_type = "nameless";
};
#if defined(WRONG)
using Embed = embed::Bert<embed::EmbeddingConfig{}, Nameless>;
#else
using Embed = embed::Bert<embed::EmbeddingConfig{}, family::Bert>;
#endif
static_assert(Embed::out > 0);
