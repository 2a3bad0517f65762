// Tags read by names are tags read by types.
#include "entrain/text/tags/reading.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace reading_test {
namespace {
using namespace entrain;
using text::Span;

template <class Reading> std::vector<Span> entities(const Reading& read, const std::vector<text::Mark>& marks) {
  std::vector<Span> found;
  read(marks, [&](const Span& span) { found.push_back(span); });
  return found;
}

TEST_CASE("by names as by types, for every scheme and both rules") {
  std::mt19937 draw(5);
  const std::string letters = "OBIESLUM?";
  int different = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<text::Mark> marks(draw() % 8);
    for (text::Mark& m : marks) m = {static_cast<std::int32_t>(draw() % 2), letters[draw() % letters.size()]};
    for (const text::SchemeId id : text::all_schemes)
      text::with_scheme(id, [&](auto scheme) {
        using Scheme = decltype(scheme);
        const auto lenient = entities(text::ReadAs<Scheme>(), marks);
        const auto strict = entities(text::ReadAs<Scheme, text::repair::Drop>(), marks);
        std::vector<Span> expected;
        text::strict<Scheme>(marks, [&](const Span& span) { expected.push_back(span); });
        CHECK(strict == expected);
        expected.clear();
        text::conlleval(marks, [&](const Span& span) { expected.push_back(span); });
        CHECK(lenient == expected);
        CHECK(entities(text::ReadBy{id, "conlleval"}, marks) == lenient);
        CHECK(entities(text::ReadBy{id, "drop"}, marks) == strict);
        different += lenient != strict;
      });
  }
  CHECK(different > 500);
}
}  // namespace

}  // namespace reading_test
