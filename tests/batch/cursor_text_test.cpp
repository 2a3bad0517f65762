// The position of a loader, written as text and read back.
#include "entrain/batch/pack/cursor_text.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/budgeted.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/one_of.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "tests/scratch.hpp"

namespace cursor_text_test {
namespace {
using namespace entrain;
using Words = batch::HashedWords<2, 500, 100, 100, 100>;
using Files = batch::Shuffled<batch::Encode<Words, task::Tagging<text::Bioes>, text::Conll<text::Bio>>>;
using Cursor = batch::Budgeted<batch::OneOf<batch::Whole<Words>, Files>>::Cursor;

TEST_CASE("every number of a cursor is written, and read back in its place") {
  std::mt19937_64 draw(1);
  std::set<std::string> all;
  for (int i = 0; i < 200; ++i) {
    Files::Cursor files;
    files.from = {static_cast<std::uint32_t>(draw()), draw(), draw()};
    files.buffer = static_cast<std::uint32_t>(draw());
    Cursor at;
    if (i % 3 > 0) at.buffer = files;
    if (i % 3 == 0) std::get<0>(at.buffer).over = i % 2 > 0;
    at.batch = static_cast<std::uint32_t>(draw());
    at.step = static_cast<std::uint32_t>(draw());
    at.micro_batch = static_cast<std::uint32_t>(draw());
    at.made = draw();
    const std::string text = batch::cursor_text(at);
    const auto back = batch::cursor_from<Cursor>(text, "state");
    CHECK(back.batch == at.batch);
    CHECK(back.step == at.step);
    CHECK(back.micro_batch == at.micro_batch);
    CHECK(back.made == at.made);
    REQUIRE(back.buffer.index() == at.buffer.index());
    if (i % 3 > 0) {
      CHECK(std::get<1>(back.buffer).from == files.from);
      CHECK(std::get<1>(back.buffer).buffer == files.buffer);
    } else {
      CHECK(std::get<0>(back.buffer).over == std::get<0>(at.buffer).over);
    }
    all.insert(text);
  }
  CHECK(all.size() == 200);
  CHECK(batch::cursor_text(Cursor{}) == "0 0 0 0 0 0");
  Cursor files;
  files.buffer = Files::Cursor{{1, 2, 3}, 4};
  files.made = 5;
  CHECK(batch::cursor_text(files) == "1 1 2 3 4 0 0 0 5");
}

TEST_CASE("what is no such place is refused") {
  for (const char* bad :
       {"", "0", "0 0 0 0 0", "0 0 0 0 0 0 0", "2 0 0 0 0 0", "0 0 0 0 0 x", "0 0 0 0 0 0 ", " 0 0 0 0 0 0",
        "0  0 0 0 0 0", "0 0 0 0 0 -1", "0 0 99999999999 0 0 0", "1 0 0 0 0 0", "0,0 0 0 0 0"})
    CHECK(test::sentence([&] { batch::cursor_from<Cursor>(bad, "state"); }) ==
          "entrain.batch.40: state: '" + std::string(bad) +
              "', expected a loader position of this program; resume with the original program and options, or start "
              "again");
}
}  // namespace

}  // namespace cursor_text_test
