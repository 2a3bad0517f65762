// tests > [train]: what a pass over files found, written and read back.
#include "entrain/task/survey_file.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <span>
#include <string>

#include "entrain/core/fingerprint.hpp"

namespace survey_file_test {
using namespace entrain;

namespace {
task::Survey some() {
  task::Survey s;
  s.name = "a b.conll";
  s.identity = "2 sentences, 3 words, sha256 0123";
  s.scheme.taken = text::SchemeId::bmes;
  s.scheme.letters = "BME";
  s.scheme.malformed = 2;
  for (std::size_t i = 0; i < text::all_schemes.size(); ++i) s.scheme.schemes[i] = {text::all_schemes[i], i};
  for (std::uint32_t i = 0; i < 12; ++i)
    s.problems.push_back({i, "what is wrong", "a b.conll", static_cast<text::Concern>(i % text::concerns)});
  s.types.add("PER");
  s.types.add("creative work");
  s.types.add("");
  s.mentions = {7, 0, 18446744073709551615u};
  std::uint64_t n = 3;
  for (std::uint64_t* count : {&s.sentences, &s.words, &s.entities}) *count = n *= 5;
  auto* const met = reinterpret_cast<std::uint64_t*>(&s.met);  // counts alone, of files and of augmenters after them
  for (std::size_t i = 0; i < sizeof s.met / sizeof *met - 4; ++i) met[i] = n *= 5;
  return s;
}

TEST_CASE("all that is kept of a survey comes back") {
  const task::Survey s = some();
  const std::string text = task::survey_text(s);
  const auto back = task::survey_from(text);
  REQUIRE(back);
  CHECK(back->name == s.name);
  CHECK(back->identity == s.identity);
  CHECK(back->scheme.taken == s.scheme.taken);
  CHECK(text::describe(back->scheme, "a") == text::describe(s.scheme, "a"));
  CHECK(back->scheme.malformed == 2);
  REQUIRE(back->problems.size() == 10);
  CHECK(back->problems[9].line == 9);
  for (std::uint32_t i = 0; i < 10; ++i) CHECK(back->problems[i].of == s.problems[i].of);
  CHECK(back->problems[8].reason == "what is wrong");
  CHECK(back->problems[8].file == "a b.conll");
  CHECK(back->types.names() == s.types.names());
  CHECK(back->mentions == s.mentions);
  CHECK(back->sentences == 15);
  CHECK(back->words == 75);
  CHECK(back->entities == 375);
  CHECK(back->met.lines == 1875);
  CHECK(std::memcmp(&back->met, &s.met, sizeof s.met) == 0);
  CHECK(back->met.joined_sentences == s.met.joined_sentences);
  CHECK(task::survey_text(*back) == text);
}

TEST_CASE("what is cut, changed or longer is no survey, or another one") {
  const std::string text = task::survey_text(some());
  for (std::size_t n = 0; n < text.size(); ++n) CHECK(!task::survey_from(text.substr(0, n)));
  CHECK(!task::survey_from(text + "x"));
  CHECK(!task::survey_from(text + "\n"));
  int refused = 0, tried = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char c : {'\n', ' ', '~', '7'}) {
      std::string other = text;
      if (other[i] == c) continue;
      other[i] = c;
      const auto survey = task::survey_from(other);
      refused += !survey, ++tried;
      if (survey) CHECK(task::survey_text(*survey) != text);
    }
  CHECK(refused > 1000);
  CHECK(refused == tried);  // the sum differs
  const std::string inside = text.substr(0, text.rfind("sum "));
  const auto summed = [](const std::string& lines) {
    Fingerprint sum;
    sum.add(std::as_bytes(std::span(lines)));
    return lines + "sum " + sum.hex() + "\n";
  };
  CHECK(summed(inside) == text);
  std::string twice = inside;
  twice.insert(twice.find("type 7 PER\n"), "type 7 PER\n");
  CHECK(!task::survey_from(summed(twice)));
  CHECK(!task::survey_from(summed(inside + "type 1 X\n")));  // after the end
  CHECK(!task::survey_from(inside));
}

TEST_CASE("a survey belongs to the files that it is kept for, and to a version") {
  const std::string text = task::survey_text(some(), "0123");
  CHECK(task::survey_from(text, "0123"));
  CHECK(!task::survey_from(text, "0124"));
  CHECK(!task::survey_from(text));
  CHECK(!task::is_other_survey(text));
  CHECK(task::is_other_survey("entrain survey 2\nname x\n"));
  CHECK(!task::is_other_survey("entrain surveys"));
}
}  // namespace

}  // namespace survey_file_test
