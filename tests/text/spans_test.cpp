// tests > [text]
#include "entrain/text/tags/spans.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "entrain/text/tags/repair.hpp"
#include "tests/text/enumerate.hpp"

namespace spans_test {
using namespace entrain;
using namespace entrain::text;

namespace {

using Spans = std::vector<Span>;

template <class S> Spans decoded(const std::vector<Tag>& tags) {
  Spans spans;
  decode<S>(tags, [&](Span s) { spans.push_back(s); });
  return spans;
}
Spans lenient(std::span<const Mark> marks) {
  Spans spans;
  conlleval(marks, [&](Span s) { spans.push_back(s); });
  return spans;
}
template <class S> std::vector<std::size_t> broken(std::span<const Mark> marks) {
  std::vector<std::size_t> tokens;
  violations<S>(marks, [&](std::size_t i) { tokens.push_back(i); });
  return tokens;
}
std::vector<Mark> marks_of(std::initializer_list<std::string_view> tags, Types& types) {
  std::vector<Mark> marks;
  for (auto tag : tags) marks.push_back(read_mark(tag, types));
  return marks;
}

// The reference for the strict reading: from left to right, the longest run of tokens that is spelled as an entity is.
// spelling: the letters of the first, a middle and the last token, and of a single one. It shares nothing with the
// rules of scheme.hpp. A sentence is a string of two characters a token: "Bx", "Iy", ".." for O.
Spans by_spelling(const std::string& sentence, const std::string& spelling) {
  const auto entity = [&](std::size_t tokens, char type) {
    std::string text;
    for (std::size_t i = 0; i < tokens; ++i)
      text += {tokens == 1 ? spelling[3] : spelling[i == 0 ? 0 : i + 1 == tokens ? 2 : 1], type};
    return text;
  };
  const std::size_t n = sentence.size() / 2;
  Spans spans;
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = n;
    const char type = sentence[2 * begin + 1];
    while (end > begin && sentence.substr(2 * begin, 2 * (end - begin)) != entity(end - begin, type)) --end;
    if (end > begin) spans.push_back({std::uint32_t(begin), std::uint32_t(end), type == 'x' ? 0 : 1});
    begin = std::max(begin + 1, end);
  }
  return spans;
}

template <class S> void compare(const std::string& spelling, std::uint32_t longest) {
  for (std::uint32_t n = 0; n <= longest; ++n)
    test::all_sequences(n, 1 + 2 * S::parts, [&](const std::vector<Tag>& tags) {
      std::string sentence;
      for (Tag tag : tags) {
        sentence += tag == 0 ? '.' : S::letters[static_cast<std::size_t>((tag - 1) % S::parts)];
        sentence += tag == 0 ? '.' : "xy"[(tag - 1) / S::parts];
      }
      CHECK(decoded<S>(tags) == by_spelling(sentence, spelling));
    });
}

}  // namespace

TEST_CASE("decode: every sequence of O B-X I-X B-Y I-Y up to length 5, against its spelling") {
  compare<Bio>("BIIB", 5);
}
TEST_CASE("decode: every sequence of the other schemes, against its spelling") {
  compare<Io>("IIII", 6);
  compare<Bioes>("BIES", 4);
  compare<Bilou>("BILU", 4);
  compare<Bmes>("BMES", 4);
}
TEST_CASE("decode: IOB1, where B-X counts after X only") {
  Types types;
  const auto read = [&](std::initializer_list<std::string_view> tags) {
    Spans spans;
    strict<Iob1>(marks_of(tags, types), [&](Span s) { spans.push_back(s); });
    return spans;
  };
  CHECK(read({"I-X", "I-X", "B-X", "I-X", "O"}) == Spans{{0, 2, 0}, {2, 4, 0}});
  CHECK(read({"I-X", "I-Y", "B-Y"}) == Spans{{0, 1, 0}, {1, 2, 1}, {2, 3, 1}});
  CHECK(read({"B-X", "O"}) == Spans{});  // continues no X
  CHECK(read({"O", "B-X", "I-X"}) == Spans{{2, 3, 0}});
  CHECK(read({"I-Y", "B-X"}) == Spans{{0, 1, 1}});
}

TEST_CASE_TEMPLATE("encode, decode: give back every set of entities up to length 5", S, Iob1, Bio, Bioes, Bilou, Bmes) {
  for (std::uint32_t n = 0; n <= 5; ++n)
    for (const auto& spans : test::all_entities(n)) {
      std::vector<Tag> tags(n, -7);
      CHECK(encode<S>(spans, tags) == 0);
      CHECK(decoded<S>(tags) == spans);
      std::vector<Mark> marks;
      for (std::size_t i = 0; i < n; ++i) marks.push_back(MarksOf<S>{tags}[i]);
      CHECK(lenient(marks) == spans);  // without violations both readings agree
      CHECK(broken<S>(marks).empty());
    }
}

TEST_CASE("encode: IO joins neighbours of one type, and says how many") {
  std::vector<Tag> tags(5);
  CHECK(encode<Io>(Spans{{0, 1, 0}, {1, 3, 0}, {3, 4, 1}, {4, 5, 1}}, tags) == 2);
  CHECK(decoded<Io>(tags) == Spans{{0, 3, 0}, {3, 5, 1}});
  for (std::uint32_t n = 0; n <= 5; ++n)
    for (const auto& spans : test::all_entities(n)) {
      std::vector<Tag> out(n);
      const auto joined = encode<Io>(spans, out);
      CHECK(decoded<Io>(out).size() == spans.size() - joined);
    }
}

TEST_CASE("encode: refuses entities that overlap, are in the wrong order, are empty or leave the sentence") {
  std::vector<Tag> tags(6);
  const auto message = [&](const Spans& spans) {
    try {
      encode<Bio>(spans, tags);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(message({{2, 5, 0}, {4, 6, 0}}) ==
        "entrain.text.22: entity [4, 6) after [2, 5) in a sentence of 6 tokens, expected entities from left to right, "
        "inside "
        "the sentence, without overlap");
  CHECK(message({{3, 4, 0}, {0, 1, 0}}).starts_with("entrain.text.22: entity [0, 1) after [3, 4)"));
  CHECK(message({{2, 2, 0}}).starts_with("entrain.text.22: entity [2, 2)"));
  CHECK(message({{0, 7, 0}}).starts_with("entrain.text.22: entity [0, 7)"));
  CHECK(message({{4, 3, 0}}).starts_with("entrain.text.22: entity [4, 3)"));
}

namespace {
template <class From, class To> void convert_and_back() {
  for (const auto& spans : test::all_entities(5)) {
    std::vector<Tag> from(5), to(5), back(5);
    encode<From>(spans, from);
    const auto there = convert<From, To>(from, to);
    CHECK(there.joined == 0);
    CHECK(there.dropped == 0);
    CHECK(decoded<To>(to) == spans);
    convert<To, From>(to, back);
    CHECK(back == from);
  }
}
template <class From, class... To> void convert_to_each() { (convert_and_back<From, To>(), ...); }
}  // namespace

TEST_CASE_TEMPLATE("convert: any scheme to any other and back, nothing lost", From, Iob1, Bio, Bioes, Bilou, Bmes) {
  convert_to_each<From, Iob1, Bio, Bioes, Bilou, Bmes>();
}

TEST_CASE("convert: says what it cannot carry over") {
  std::vector<Tag> to(4);
  const std::vector<Tag> neighbours{1, 2, 1, 0};  // B-X I-X B-X O
  CHECK(convert<Bio, Io>(neighbours, to).joined == 1);
  const std::vector<Tag> orphan{0, 2, 2, 1};  // O I-X I-X B-X
  CHECK(convert<Bio, Bioes>(orphan, to).dropped == 2);
  CHECK(to == std::vector<Tag>{0, 0, 0, make_tag<Bioes>(0, Bioes::single)});
}

TEST_CASE("conlleval: an I that continues nothing opens an entity; letters of every scheme count") {
  Types types;
  CHECK(lenient(marks_of({"O", "I-X", "I-X", "I-Y", "O", "I-X"}, types)) == Spans{{1, 3, 0}, {3, 4, 1}, {5, 6, 0}});
  CHECK(lenient(marks_of({"B-X", "I-Y", "E-Y", "E-Y", "S-X", "I-X"}, types)) ==
        Spans{{0, 1, 0}, {1, 3, 1}, {3, 4, 1}, {4, 5, 0}, {5, 6, 0}});
  CHECK(lenient(marks_of({"B-X", "M-X", "L-X", "M-X", "U-X", "U-X"}, types)) ==
        Spans{{0, 3, 0}, {3, 4, 0}, {4, 5, 0}, {5, 6, 0}});
  CHECK(lenient(marks_of({"I-X", "I_X", "I-X", "?"}, types)) == Spans{{0, 1, 0}, {2, 3, 0}});
  CHECK(lenient(marks_of({}, types)).empty());
}

TEST_CASE("violations: names the token at fault, once") {
  Types types;
  using At = std::vector<std::size_t>;
  CHECK(broken<Bio>(marks_of({"I-X", "I-X", "B-Y", "I-X", "O", "I-Y"}, types)) == At{0, 3, 5});
  CHECK(broken<Bioes>(marks_of({"B-X", "O", "I-X", "E-X", "S-X", "E-X", "B-X"}, types)) == At{0, 2, 5, 6});
  CHECK(broken<Io>(marks_of({"B-X", "I-X", "O", "S-X"}, types)) == At{0, 3});
  CHECK(broken<Iob1>(marks_of({"B-X", "I-X", "B-X", "B-Y", "I-Y"}, types)) == At{0, 3});
  CHECK(broken<Bio>(marks_of({"B_X", "O", "v"}, types)) == At{0, 2});
}

TEST_CASE_TEMPLATE("violations: none exactly where Allowed lets the sequence pass", S, Io, Iob1, Bio, Bioes, Bilou,
                   Bmes) {
  for (std::uint32_t n = 1; n <= 4; ++n)
    test::all_sequences(n, 1 + 2 * S::parts, [&](const std::vector<Tag>& tags) {
      bool allowed = Allowed<S>::starts(tags.front()) && Allowed<S>::ends(tags.back());
      for (std::size_t i = 1; i < n; ++i) allowed = allowed && Allowed<S>::follows(tags[i - 1], tags[i]);
      bool any = false;
      violations<S>(MarksOf<S>{tags}, [&](std::size_t) { any = true; });
      CHECK(any == !allowed);
    });
}

namespace {
template <class S, class Rule> void repairs_are_right() {
  for (std::uint32_t n = 0; n <= 4; ++n)
    test::all_sequences(n, 1 + 2 * S::parts, [&](const std::vector<Tag>& tags) {
      bool valid = true;
      violations<S>(MarksOf<S>{tags}, [&](std::size_t) { valid = false; });
      std::vector<Tag> out(n, -7), reported = tags;
      std::size_t reports = 0;
      const auto changed = repair::apply<S, Rule>(MarksOf<S>{tags}, out, [&](std::size_t i, Tag to) {
        CHECK(reported[i] != to);
        reported[i] = to;
        ++reports;
      });
      CHECK(changed == reports);
      CHECK(reported == out);          // the reports are the whole difference
      CHECK((changed == 0) == valid);  // a valid sequence is never changed, a broken one always
      violations<S>(MarksOf<S>{out}, [&](std::size_t i) { FAIL_CHECK("token " << i << " is still broken"); });
    });
}
}  // namespace

TEST_CASE_TEMPLATE("repair: by either rule the result keeps the scheme, and every change is reported", S, Io, Iob1, Bio,
                   Bioes, Bilou, Bmes) {
  repairs_are_right<S, repair::Conlleval>();
  repairs_are_right<S, repair::Drop>();
}

TEST_CASE(
    "repair: conlleval keeps labelled tokens, drop makes them O; letters of another scheme and malformed tags too") {
  Types types;
  const auto marks = marks_of({"O", "I-X", "I-X", "B-Y", "E-Y", "B_Y", "I-Y"}, types);
  using Changes = std::vector<std::pair<std::size_t, Tag>>;
  std::vector<Tag> out(marks.size());
  Changes changes;
  const auto note = [&](std::size_t i, Tag to) { changes.emplace_back(i, to); };
  CHECK(repair::apply<Bio, repair::Conlleval>(std::span<const Mark>(marks), out, note) == 4);
  CHECK(out == std::vector<Tag>{0, 1, 2, 3, 4, 0, 3});
  CHECK(changes == Changes{{1, 1}, {4, 4}, {5, 0}, {6, 3}});
  changes.clear();
  CHECK(repair::apply<Bio, repair::Drop>(std::span<const Mark>(marks), out, note) == 5);
  CHECK(out == std::vector<Tag>{0, 0, 0, 3, 0, 0, 0});
  CHECK(changes == Changes{{1, 0}, {2, 0}, {4, 0}, {5, 0}, {6, 0}});
}

TEST_CASE("repair: rules by name") {
  CHECK(repair::with_rule("drop", [](auto rule) { return rule.name; }) == "drop");
  CHECK(repair::with_rule("conlleval", [](auto rule) { return rule.name; }) == "conlleval");
  try {
    repair::with_rule("magic", [](auto) {});
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) == "entrain.text.23: --repair: repair rule 'magic', expected conlleval or drop");
  }
}

TEST_CASE("MarksAt: a corpus that keeps each tag string once") {
  Types types;
  const auto distinct = marks_of({"B-X", "O", "I-X"}, types);  // the first string in the file need not be O
  const std::vector<std::int32_t> index{1, 0, 2, -1, 2};
  Spans spans;
  strict<Bio>(MarksAt{distinct, index}, [&](Span s) { spans.push_back(s); });
  CHECK(spans == Spans{{1, 3, 0}});
}

TEST_CASE("Readings: 200,000 tokens in one sentence") {
  std::mt19937 random(1);
  std::vector<Tag> tags(200'000), out(tags.size());
  for (Tag& tag : tags) tag = static_cast<Tag>(random() % 2001);
  std::size_t found = 0;
  decode<Bioes>(tags, [&](Span) { ++found; });
  CHECK(found > 40'000);  // singles alone are a quarter
  CHECK(repair::apply<Bioes, repair::Conlleval>(MarksOf<Bioes>{tags}, out, [](std::size_t, Tag) {}) > 0);
}

}  // namespace spans_test
