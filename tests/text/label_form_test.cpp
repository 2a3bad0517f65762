// tests > [text]
// Labels that look alike: folded, told apart in words, found by check, repaired.
#include "entrain/text/tags/label_form.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/text/check/check.hpp"
#include "entrain/text/check/check_texts.hpp"
#include "entrain/text/check/repair_conll.hpp"
#include "entrain/text/conll/conll.hpp"
#include "tests/text/look_alike.hpp"

namespace label_form_test {
using namespace entrain;
using namespace entrain::text;
using test::fixed, test::nfc, test::nfd, test::zero;

namespace {
std::string found(const std::string& bytes) {
  const ConllFile file = parse_conll("t", bytes);
  return list_findings(check({&file, 1}, {.rare = 0}));
}
struct AsRepaired {
  std::string bytes, changes;
};
AsRepaired repaired(const std::string& bytes, const char* rules = "form") {
  const ConllFile file = parse_conll("t", bytes);
  const Repaired m = repair_conll("t", bytes, check({&file, 1}), Rules::named(rules));
  return {m.bytes, list_changes("t", m)};
}
}  // namespace

TEST_CASE("labels that look alike fold to one") {
  for (const std::string& label :
       std::vector<std::string>{"PER ", " PER", "PER" + zero, zero + "P" + zero + "ER", "PER" + fixed, "per"})
    CHECK(fold_label(label) == "per");
  CHECK(fold_label(nfc) == fold_label(nfd));
  CHECK(fold_label("\xEA\xB0\x81") == fold_label("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"));  // a Hangul syllable
  CHECK(fold_label("\xE1\xBA\xAD") == fold_label("a\xCC\x82\xCC\xA3"));                     // marks in another order
  CHECK(fold_label("creative" + fixed + " work") == "creative work");
  CHECK(fold_label("E") != fold_label("\xC3\x89"));
  CHECK(without_unseen(" Per" + zero) == "Per");
  CHECK(fold_label("A\xFF ") == "A\xFF ");
}

TEST_CASE("by what labels differ") {
  CHECK(difference_of_labels("PER", "per") == "case");
  CHECK(difference_of_labels("PER", "PER ") == "blanks (U+0020)");
  CHECK(difference_of_labels("PER", "PER" + fixed) == "blanks (U+00A0)");
  CHECK(difference_of_labels("a b", "a" + fixed + "b") == "blanks (U+0020, U+00A0)");
  CHECK(difference_of_labels("PER", "PER" + zero) == "invisible characters (U+200B)");
  CHECK(difference_of_labels(nfc, nfd) == "the Unicode form (NFC or NFD)");
  CHECK(difference_of_labels("per ", "PER") == "case and blanks (U+0020)");
  CHECK(look_alikes({"PER", "LOC", "PER "}) ==
        std::vector<std::string>{"label 'PER ' differs from 'PER' by blanks (U+0020) only: they are two types"});
  CHECK(look_alikes({"PER", "LOC"}).empty());
}

TEST_CASE("of many labels that look alike, each is compared with the most frequent one only") {
  constexpr std::size_t n = 256;
  std::vector<std::string> labels;
  std::string bytes;
  for (std::size_t i = 0; i < n; ++i) {
    std::string label = "abcdefgh";
    for (std::size_t k = 0; k < label.size(); ++k)
      if ((i >> k & 1) != 0) label[k] = static_cast<char>(label[k] - 'a' + 'A');
    labels.push_back(label);
    bytes += "a\tB-" + label + "\n" + (i == 200 ? "b\tB-" + label + "\n" : "") + "\n";
  }
  const ConllFile file = parse_conll("t", bytes);
  const Check result = check({&file, 1}, {.rare = 0});
  CHECK(result.count(Kind::label_case) == n - 1);
  for (const Finding& f : result.findings)
    CHECK(f.reason.find("differs from '" + labels[200] + "' by case only") != std::string::npos);

  const std::vector<std::string> said = look_alikes(labels);
  REQUIRE(said.size() == 21);
  CHECK(said[0] == "label 'Abcdefgh' differs from 'abcdefgh' by case only: they are two types");
  CHECK(said[20] == "235 more labels look like an earlier one; check --list all lists them");
}

TEST_CASE("check finds such labels, and repair_conll makes them one") {
  const auto file = [](const std::string& label) {
    return "a\tB-PER\nb\tI-PER\nc\tO\nd\tB-" + label + "\ne\tO\n\nf\tB-PER\ng\tB-LOC\n";
  };
  const auto same = [&](const std::string& label, const std::string& by) {
    CAPTURE(label);
    const std::string bytes = file(label), shown = excerpt(label);
    CHECK(found(bytes) == "t:4: label '" + shown + "' (1 here) differs from 'PER' by " + by + " only\n");
    const AsRepaired m = repaired(bytes);
    CHECK(m.bytes == file("PER"));
    CHECK(m.changes == "t:4: form: B-" + label + " -> B-PER\n");
    CHECK(found(m.bytes).empty());
  };
  same("PER ", "blanks (U+0020)");
  same("PER" + zero, "invisible characters (U+200B)");
  same("PER" + fixed, "blanks (U+00A0)");
  CHECK(found("a\tB-" + nfc + "\nb\tB-" + nfc + "\nc\tB-" + nfd + "\nd\tB-X\n") ==
        "t:3: label '" + nfd + "' (1 here) differs from '" + nfc + "' by the Unicode form (NFC or NFD) only\n");
  CHECK(repaired("a\tB-" + nfc + "\nb\tB-" + nfc + "\nc\tB-" + nfd + "\n").bytes ==
        "a\tB-" + nfc + "\nb\tB-" + nfc + "\nc\tB-" + nfc + "\n");
}

TEST_CASE("a label with such a character is found where it is the only one, and in tags that are none but for it") {
  CHECK(found("a\tB-PER \nb\tO\nc\tB-LOC\n") == "t:1: label 'PER ' (1 here) is 'PER' but for blanks (U+0020)\n");
  const AsRepaired m = repaired("a\tB-PER \nb\tO \nc\t B-LOC\nd\tO" + zero + "\ne\tO\n");
  CHECK(m.bytes == "a\tB-PER\nb\tO\nc\tB-LOC\nd\tO\ne\tO\n");
  CHECK(m.changes ==
        "t:1: form: B-PER  -> B-PER\nt:2: form: O  -> O\nt:3: form:  B-LOC -> B-LOC\nt:4: form: O" + zero + " -> O\n");
  // the most frequent one of a form, then of a case
  CHECK(repaired("a\tB-per \nb\tB-per \nc\tB-PER\nd\tB-per\n", "all").bytes ==
        "a\tB-per\nb\tB-per\nc\tB-per\nd\tB-per\n");
  CHECK(repaired("a\tB-per \nb\tB-per\n", "case").bytes == "a\tB-per \nb\tB-per\n");
}

TEST_CASE("a label is not repaired to one that would be two columns") {
  const std::string columns = "Ada B-new\xC2\xA0man\nmet O\n", tabs = "Ada\tB-new\xC2\xA0man\nmet\tO\n";
  CHECK(repaired(columns).bytes == columns);
  CHECK(repaired(tabs).bytes == "Ada\tB-new man\nmet\tO\n");
}

TEST_CASE("a type without a letter is not repaired to one that such a file cannot hold") {
  const std::string one_letter = "- O\n# h\f\nt LOC\n";
  CHECK(repaired(one_letter).bytes == one_letter);
  CHECK(repaired(one_letter).changes.empty());
  const AsRepaired outside = repaired("a\tO\nb\tLOC\nc\tO" + zero + "\nd\tO\n");
  CHECK(outside.bytes == "a\tO\nb\tLOC\nc\tO\nd\tO\n");
  CHECK(outside.changes == "t:3: form: I-O" + zero + " -> O\n");
  CHECK(repaired("a\tO\nb\tLOC\nc\tLOC" + zero + "\nd\tO\n").bytes == "a\tO\nb\tLOC\nc\tLOC\nd\tO\n");
}

TEST_CASE("bytes of a label that are not UTF-8 are kept as they are, and named once") {
  const std::string bytes = "a\tB-PER\nb\tB-P\xCC\nc\tB-P\xCD\n";
  CHECK(found(bytes).find("but for") == std::string::npos);
  CHECK(found(bytes).find("differs from") == std::string::npos);
  CHECK(repaired(bytes, "all").bytes == bytes);
  CHECK(repaired(bytes, "all").changes.empty());
}

TEST_CASE("labels of texts are compared the same way") {
  TextsChecker checker({.rare = 0});
  checker.file("t");
  Texts texts;
  texts.name = "t";
  const auto add = [&](const std::string& text, const std::string& label) {
    texts.bytes += text;
    texts.add_label(label);
    texts.end_text(static_cast<std::uint32_t>(texts.size() + 1));
  };
  add("one two", "card");
  add("three", "card");
  add("four", "card" + zero);
  add("five", "cash ");
  checker.layout("x");
  checker.add(texts);
  const std::string words = checker.describe();
  CHECK(words.find("t:3: label 'card<U+200B>' (1 here) differs from 'card' by invisible characters (U+200B) only\n") !=
        words.npos);
  CHECK(words.find("t:4: label 'cash ' (1 here) is 'cash' but for blanks (U+0020)\n") != words.npos);
}

}  // namespace label_form_test
