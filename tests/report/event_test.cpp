// tests > [report]
#include "entrain/report/event.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "entrain/report/hyper_parameters.hpp"

using namespace entrain::report;

TEST_CASE("event: the bytes that TensorBoard's own writer makes") {
  std::ifstream file(ENTRAIN_SOURCE_DIR "/tests/report/golden/events.tfevents", std::ios::binary);
  REQUIRE(file.is_open());
  const std::string golden(std::istreambuf_iterator<char>(file), {});

  constexpr double begin = 1700000000.25;
  std::string ours = Event::version(begin).record();
  Event one(begin + 1, 1);
  one.scalar("loss", 1.5);
  one.scalar("learning_rate", 1e-3);
  ours += one.record();
  Event two(begin + 128, 128);
  two.scalar("loss", 0.1);
  two.scalar("time/wait", 0);
  two.scalar("dev/F1", -1);
  ours += two.record();
  Event three(begin + 3e9, 3'000'000'000);
  std::string longest;
  for (int i = 0; i < 4; ++i) longest += "a tag of more than one hundred and twenty-seven characters ";
  three.scalar(longest, 3e38);
  three.scalar("λ", 1e-45);
  ours += three.record();
  Event four(begin + 7, 7);
  four.scalar("not a number", std::numeric_limits<double>::quiet_NaN());
  four.scalar("infinite", std::numeric_limits<double>::infinity());
  ours += four.record();
  ours += training_started(begin, {{"seed", 0.0}, {"optimizer", "AdamW, λ"}, {"learning_rate", 5e-5}}).record();
  ours += training_ended(begin, true).record();
  CHECK(ours.size() == golden.size());
  CHECK(ours == golden);
}

TEST_CASE("event: varints of every length") {
  Message m;
  m.add(1, std::uint64_t{0});
  m.add(16, std::uint64_t{127});
  m.add(2, std::uint64_t{128});
  m.add(2, std::uint64_t{300});
  m.add(1, ~std::uint64_t{0});
  using namespace std::string_literals;
  CHECK(m.bytes() == "\x08\x00\x80\x01\x7F\x10\x80\x01\x10\xAC\x02\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s);
}
