// tests > [text]
//
// JSON Lines with one label for the whole of each text: what they hold, in blocks of any size, and what is refused.
#include "entrain/text/records/labelled_json.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "tests/scratch.hpp"

namespace labelled_json_test {
using namespace entrain;
using namespace entrain::text;
using test::Scratch, test::sentence;

namespace {

static_assert(batch::Divided<LabelledJson>);

struct Read {
  std::string rows, problems;
  Met met;
};
Read read(const std::string& bytes, const CsvOptions& options = {}, std::size_t block = 1 << 18) {
  const Scratch folder;
  batch::InTurn source(LabelledJson({folder.file("f", bytes)}, options, block));
  source.start(0, {});
  Read all;
  for (Texts texts; source.next(texts);) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      all.rows += std::to_string(texts.line[i]) + "|" + std::string(texts.text(i)) + "|" +
                  std::string(texts.label_name(i)) + "\n";
    for (const Problem& p : texts.problems) all.problems += std::to_string(p.line) + ": " + p.reason + "\n";
    all.met += texts.met;
  }
  return all;
}
std::string refusal(const std::string& bytes, const CsvOptions& options = {}) {
  std::string said = sentence([&] { read(bytes, options); });
  const std::size_t name = said.find(": ") + 2;  // the path
  return said.replace(name, said.find("/f:", name) + 1 - name, "");
}
CsvOptions named(const std::string& text, const std::string& label) {
  CsvOptions options;
  options.text = text, options.label = label;
  return options;
}

}  // namespace

TEST_CASE("texts, labels and lines, in blocks of any size") {
  const std::string bytes =
      "\xEF\xBB\xBF{\"text\":\"a\",\"label\":\"x\"}\r\n\n "
      "\t\n{\"id\":[1,{}],\"category\":\"y\",\"text\":\"\\u00e9\\n\"}\n"
      "{\"label\":3,\"text\":\"\"}\n{\"text\":\"b\",\"label\":true}\n{\"text\":\"c\",\"label\":\"z\",\"category\":"
      "\"no\"}\n"
      "{\"text\":\"d\",\"category\":\"no\",\"label\":\"z\"}\n{\"text\":\"e\",\"label\":\"x\",\"answer\":\"reject\"}\n"
      "{\"text\":\"f\",\"label\":-12,\"answer\":\"accept\"}";
  const std::string rows = "1|a|x\n4|\xC3\xA9\n|y\n5||3\n6|b|true\n7|c|z\n8|d|z\n10|f|-12\n";
  for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{40}, std::size_t{1} << 18}) {
    CAPTURE(block);
    const Read all = read(bytes, {}, block);
    CHECK(all.rows == rows);
    CHECK(all.problems.empty());
    CHECK(all.met.lines == 10);
    CHECK(all.met.separators == 2);
    CHECK(all.met.crlf == 1);
    CHECK(all.met.bom == 1);
    CHECK(all.met.unaccepted == 1);
  }
  CHECK(read("{\"text\":\"a\",\"label\":\"b\"}\r").met.crlf == 0);  // a line that does not end
  CsvOptions alone;
  alone.labels = false;
  CHECK(read("{\"text\":\"a\"}\n{\"label\":[],\"text\":\"b\"}\n", alone).rows == "1|a|\n2|b|\n");
  CHECK(read("{\"q\":\"a\",\"y\":1,\"text\":2,\"label\":[]}\n", named("q", "y")).rows == "1|a|1\n");
}

TEST_CASE("what is no such line is refused with its place, or listed") {
  const std::string good = "{\"text\":\"a\",\"label\":\"x\"}\n";
  const std::string more = "; check --list all lists every such line: correct them, or skip them with --lenient";
  CHECK(refusal(good + "{") == "entrain.text.40: f:2: the end of the line, expected a key; byte 2 of the line" + more);
  CHECK(refusal("[]") ==
        "entrain.text.42: f:1: an array, expected an object per line; convert it to lines: jq -c '.[]'" + more);
  CHECK(refusal("{\"label\":\"x\"}") ==
        "entrain.text.42: f:1: no text, expected \"text\"; name its key with --text-column" + more);
  CHECK(refusal("{\"label\":\"x\"}", named("q", "")).starts_with("entrain.text.42: f:1: no text, expected \"q\"; "));
  const std::string none =
      "entrain.text.42: f:1: no label, expected label or category; name its key with --label-column, or use "
      "--no-labels";
  CHECK(refusal("{\"text\":\"x\"}") == none + more);
  CHECK(refusal("{\"text\":\"x\",\"label\":\"\"}") == none + more);
  CHECK(refusal("{\"text\":\"x\",\"label\":null}") == none + more);
  CHECK(refusal("{\"text\":\"x\"}", named("", "y")).starts_with("entrain.text.42: f:1: no label, expected y; "));
  CHECK(refusal("{\"text\":\"x\",\"label\":[\"a\"]}").starts_with("entrain.text.40: f:1: "));
  CHECK(refusal("{\"text\":\"x\",\"label\":1.5}").starts_with("entrain.text.40: f:1: "));
  CHECK(refusal("{\"text\":1,\"label\":\"a\"}").starts_with("entrain.text.40: f:1: "));
  CHECK(refusal("{\"text\":\"x\",\"text\":\"y\",\"label\":\"a\"}")
            .starts_with("entrain.text.42: f:1: \"text\" twice, expected one"));
  CHECK(refusal("{\"text\":\"x\",\"label\":\"b\",\"label\":\"a\"}")
            .starts_with("entrain.text.42: f:1: \"label\" twice, expected one"));
  CHECK(refusal("{\"text\":\"x\",\"label\":\"b\"} 1").starts_with("entrain.text.40: f:1: "));
  CHECK(refusal("{\"text\":\"\xFF\",\"label\":\"b\"}").starts_with("entrain.text.43: f:1: bytes that are not UTF-8"));
  CHECK(refusal("{\"text\":\"x\",\"y\":1,\"y\":2}", named("", "y")).starts_with("entrain.text.42: f:1: \"y\" twice"));
  const std::string by_cr = "{\"text\":\"a\",\"label\":\"x\"}\r{\"text\":\"b\",\"label\":\"x\"}\r";
  CHECK(refusal(by_cr) ==
        "entrain.text.10: f: lines end in CR only, expected LF or CR LF; convert them: tr '\\r' '\\n'");
  CsvOptions lenient;
  lenient.lenient = true;
  CHECK(read(by_cr, lenient).problems.starts_with("1: lines end in CR only, expected LF or CR LF"));
  const Read rest = read("{\n" + good + "{\"text\":\"x\"}\n\xFF\n" + good, lenient);
  CHECK(rest.rows == "2|a|x\n5|a|x\n");
  CHECK(rest.met.malformed == 3);
  CHECK(rest.problems.starts_with("1: the end of the line, expected a key; byte 2 of the line\n3: no label"));
  CHECK(rest.problems.find("\n4: bytes that are not UTF-8") != std::string::npos);
}

TEST_CASE("how a file begins tells texts with labels from sentences with entities") {
  const LabelledKeys keys;
  const auto begins = [&](const std::string& head) { return begins_labelled(head, keys); };
  CHECK(begins("{\"text\":\"a\",\"label\":\"x\"}"));
  CHECK(begins("\xEF\xBB\xBF\n \n {\"n\":1,\"label\":0,\"text\":\"a\"}\r\n{"));
  CHECK(begins("{\"text\":\"a\",\"category\":true}\n"));
  CHECK(begins("{\"text\":\"a\",\"label\":\"x\",\"tokens\":[\"a\"]}"));
  CHECK(!begins("{\"text\":\"a\"}\n{\"text\":\"a\",\"label\":\"x\"}"));
  CHECK(!begins("{\"label\":\"x\"}"));
  CHECK(!begins("{\"text\":1,\"label\":\"x\"}"));
  CHECK(!begins("{\"text\":\"a\",\"label\":[]}"));
  CHECK(!begins("{\"text\":\"a\",\"label\":[[0,1,\"X\"]]}"));
  CHECK(!begins("{\"text\":\"a\",\"label\":null}"));
  for (const char* list : {"entities", "spans", "labels", "tags", "ner_tags", "ner"}) {
    CAPTURE(list);
    CHECK(!begins("{\"text\":\"a\",\"label\":\"x\",\"" + std::string(list) + "\":[]}"));
    CHECK(begins("{\"text\":\"a\",\"label\":\"x\",\"" + std::string(list) + "\":null}"));
  }
  CHECK(!begins("{\"text\":\"a\",\"label\":\"x\""));
  CHECK(!begins(""));
  CHECK(!begins("\n\n"));
  CHECK(begins_labelled("{\"q\":\"a\",\"y\":1}", LabelledKeys(named("q", "y"))));
  CHECK(!begins_labelled("{\"text\":\"a\",\"label\":1}", LabelledKeys(named("q", "y"))));
}

}  // namespace labelled_json_test
