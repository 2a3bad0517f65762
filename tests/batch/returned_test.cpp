// tests > [batch]: objects that come back, with the memory that they had.
#include "entrain/batch/pipeline/returned.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "tests/scratch.hpp"

namespace returned_test {
using namespace entrain;

TEST_CASE("a released buffer is given again, as it was left") {
  batch::Returned<std::vector<int>> returned;
  auto first = returned.take(), second = returned.take();
  CHECK(first != second);
  const auto* const one = first.get();
  first->assign(100, 7);
  const auto also = first;
  first.reset();
  CHECK(returned.take().get() != one);  // somebody still has it
  auto other = also;
  const_cast<std::shared_ptr<std::vector<int>>&>(also).reset();
  std::thread([last = std::move(other)]() mutable { last.reset(); }).join();  // given back by another thread
  const auto again = returned.take();
  CHECK(again.get() == one);
  CHECK(again->size() == 100);
}

TEST_CASE("it may come back when who made it is gone") {
  std::shared_ptr<std::vector<int>> late;
  {
    batch::Returned<std::vector<int>> returned;
    late = returned.take();
    late->push_back(1);
  }
  CHECK(late->back() == 1);
  late.reset();
}

TEST_CASE("buffers of bounded size go round: after the first ones no new memory is requested") {
  using Words = batch::HashedWords<2, 60, 20, 20, 20>;
  using Encode = batch::Encode<Words, task::Tagging<text::Bioes>, text::Conll<text::Bio>>;
  std::string bytes;
  for (int s = 0; s < 400; ++s) bytes += "word" + std::to_string(s % 37) + "\tO\nAda\tB-PER\n\n";
  const test::File file(bytes);
  const text::Labels<text::Bioes> labels({"PER"});
  const auto memory_of = [&](std::size_t buffer_size) {
    batch::Shuffled<Encode> stage(Encode(Words{}, labels, text::Conll<text::Bio>({file.path()}, {}, 64)),
                                  {1, buffer_size, true});
    std::vector<const void*> places;
    stage.start(0, {});
    for (batch::ShuffleBuffer<Words> buffer; stage.next(buffer);) {
      CHECK(buffer.sentences->sentences() == buffer.order.size());
      CHECK(buffer.sentences->sentence[0] == 0);
      CHECK(static_cast<std::size_t>(2 * buffer.sentences->unknown_word_copies) == buffer.sentences->vocabulary.size());
      places.push_back(buffer.sentences->sentence.data());
    }
    return places;
  };
  const auto places = memory_of(20);
  REQUIRE(places.size() >= 15);
  for (std::size_t k = 4; k < places.size(); ++k) CHECK(places[k] == places[k - 2]);  // one is held, one is filled
  CHECK(memory_of(1'000'000).size() == 1);
}

}  // namespace returned_test
