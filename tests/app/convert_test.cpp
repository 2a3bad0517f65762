// tests > [app]: convert, check and score on files.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/app/program.hpp"

namespace convert_test {
using namespace test;

namespace {

/// Exit code 0 and what went to standard output.
std::string converted(std::vector<std::string> more, const Around& around = {}) {
  std::vector<std::string> line{"convert"};
  line.insert(line.end(), more.begin(), more.end());
  const Ran ran = run(line, around);
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  return ran.out;
}

const std::string bio =
    "Ada\tB-PER\nLovelace\tI-PER\nmet\tO\nBo\tB-PER\nAda\tB-PER\nin\tO\nNew\tB-LOC\nYork\tI-LOC\nCity\tI-LOC\n\n"
    "\xC3\x89va\tB-PER\n#1\tO\n\n";

}  // namespace

TEST_CASE("convert: every scheme and back, through standard streams and files") {
  const Scratch folder;
  put(folder / "bio.conll", bio);
  for (const char* scheme : {"iob1", "iob2", "iobes", "bilou", "bmes"}) {
    CAPTURE(scheme);
    const std::string there = converted({folder / "bio.conll", "--to", scheme});
    put(folder / "there.conll", there);
    CHECK(converted({folder / "there.conll", "--to", "iob2", "--scheme", scheme}) == bio);
    CHECK(converted({"-", "--to", "iob2", "--scheme", scheme}, {.input = there}) == bio);
    CHECK(converted({"--to", "iob2", "--scheme", scheme}, {.input = there}) == bio);
  }
  CHECK(converted({folder / "bio.conll", "--to", "iobes"})
            .starts_with("Ada\tB-PER\nLovelace\tE-PER\nmet\tO\nBo\tS-PER\n"));
  CHECK(converted({folder / "bio.conll"}) == bio);  // its own scheme
}

TEST_CASE("convert: to JSON lines and back") {
  const Scratch folder;
  put(folder / "bio.conll", bio);
  CHECK(converted({folder / "bio.conll", "-o", folder / "out.jsonl"}).empty());
  const std::string json = get(folder / "out.jsonl");
  CHECK(times(json, "\n") == 2);
  CHECK(has(json, "{\"text\":\"Ada Lovelace met Bo Ada in New York City\","));
  CHECK(has(json, "{\"start\":27,\"end\":40,\"label\":\"LOC\",\"text\":\"New York City\"}"));
  CHECK(has(
      json,
      "{\"text\":\"\xC3\x89va #1\",\"tokens\":[[0,3],[4,6]],\"sentences\":[2],\"entities\":[{\"start\":0,\"end\":3,"));
  CHECK(converted({folder / "out.jsonl"}) == bio);
  CHECK(converted({"--input-format", "jsonl", "--format", "jsonl"}, {.input = json}) == json);
}

TEST_CASE("convert: JSON of other tools") {
  const std::vector<std::string> line{"--input-format", "jsonl", "--format", "conll"};
  CHECK(converted(line, {.input = "{\"text\":\"Ada met Bo.\",\"label\":[[8,10,\"PER\"],[0,3,\"PER\"]]}\n"}) ==
        "Ada\tB-PER\nmet\tO\nBo\tB-PER\n.\tO\n\n");
  CHECK(converted(line, {.input = "{\"tokens\":[\"Ada\",\"met\"],\"tags\":[\"B-PER\",\"O\"]}\n\n{\"tokens\":[\"Bo\"],"
                                  "\"ner_tags\":[\"I-PER\"]}"}) == "Ada\tB-PER\nmet\tO\n\nBo\tB-PER\n\n");
  std::vector<std::string> all{"convert", "--misaligned", "drop"};
  all.insert(all.end(), line.begin(), line.end());
  const Ran ran = run(
      all, {.input = "{\"text\":\"Ada met "
                     "Bo.\",\"entities\":[{\"start\":0,\"end\":2,\"label\":\"PER\"},{\"start\":0,\"end\":7,\"label\":"
                     "\"X\"},{\"start\":4,\"end\":7,\"label\":\"Y\"},{\"start\":4,\"end\":99,\"label\":\"Z\"}]}\n"});
  CHECK(ran.exit == 0);
  CHECK(ran.out == "Ada\tB-X\nmet\tI-X\nBo\tO\n.\tO\n\n");
  CHECK(has(ran.err, "warning: standard input:1: entity [0, 2) PER ends inside a word: '|Ad|a met Bo.'; dropped"));
  CHECK(has(ran.err, "warning: standard input:1: entity [4, 7) Y overlaps"));
  CHECK(has(ran.err, "warning: standard input:1: entity [4, 99) Z "));
  CHECK(has(ran.err, "to          standard output: 1 sentence in BIO, 1 entity"));
}

TEST_CASE("convert: words that tags or annotations count get their places in the text, or are written alone") {
  const std::vector<std::string> line{"convert", "--input-format", "jsonl", "--format", "jsonl"};
  const auto json = [&](const std::string& input) { return run(line, {.input = input + "\n"}); };
  const std::string placed =
      "{\"text\":\"n\xC3\xA9   Bo \",\"tokens\":[[0,2],[5,7]],\"sentences\":[2],\"entities\":[{\"start\":5,\"end\":7,"
      "\"label\":\"PER\",\"text\":\"Bo\"}]}\n";
  const Ran tags =
      json("{\"text\":\"n\xC3\xA9   Bo \",\"tokens\":[\"n\xC3\xA9\",\"Bo\"],\"ner_tags\":[\"O\",\"B-PER\"]}");
  CHECK(tags.out == placed);
  CHECK(!has(tags.err, "warning"));
  const Ran numbered =
      json("{\"text\":\"n\xC3\xA9   Bo \",\"tokenized_text\":[\"n\xC3\xA9\",\"Bo\"],\"ner\":[[1,1,\"PER\"]]}");
  CHECK(numbered.out == placed);
  CHECK(!has(numbered.err, "warning"));
  const std::string alone =
      "{\"text\":\"n\xC3\xA9 Bo\",\"tokens\":[[0,2],[3,5]],\"sentences\":[2],\"entities\":[{\"start\":3,\"end\":5,"
      "\"label\":\"PER\",\"text\":\"Bo\"}]}\n";
  for (const char* text : {"n\xC3\xA9 Bob", "n\xC3\xA9, Bo", "Bo n\xC3\xA9", "n\xC3\xA9", ""}) {
    CAPTURE(text);
    const std::string record =
        std::string("{\"text\":\"") + text + "\",\"tokens\":[\"n\xC3\xA9\",\"Bo\"],\"ner_tags\":[\"O\",\"B-PER\"]}\n";
    const Ran other = json("\n" + record + record);
    CHECK(other.out == alone + alone);
    CHECK(has(other.err,
              "warning: standard input:2: the text is not its words separated by white space: the words are written, "
              "separated by blanks; one of 2 such records\n"));
  }
  // nothing to look for in a blank word
  CHECK(has(json("{\"text\":\"a  b\",\"tokens\":[\"a\",\" \",\"b\"],\"tags\":[\"O\",\"O\",\"B-X\"]}").out,
            "{\"text\":\"a   b\",\"tokens\":[[0,1],[2,3],[4,5]],"));
}

TEST_CASE("convert: --repair drop goes by the scheme that the tags of records have") {
  const Scratch folder;
  const std::string records =
      "{\"tokens\":[\"Ada\",\"met\"],\"ner_tags\":[\"B-PER\",\"O\"]}\n"
      "{\"text\":\"Bo\",\"label\":[[0,2,\"PER\"]]}\n"
      "{\"tokens\":[\"New\",\"York\"],\"tags\":[\"B-LOC\",\"I-LOC\"]}\n";
  put(folder / "a.jsonl", records);
  const std::string all = "Ada\tB-PER\nmet\tO\n\nBo\tB-PER\n\nNew\tB-LOC\nYork\tI-LOC\n\n";
  const Ran drop = run({"convert", folder / "a.jsonl", "--repair", "drop", "--format", "conll"});
  CHECK(drop.exit == 0);
  CHECK(drop.out == all);
  CHECK(has(drop.err, "tags        " + (folder / "a.jsonl") + ": fits BIO; read as BIO (B- and I- occur)\n"));
  CHECK(converted({folder / "a.jsonl"}) == all);
  for (const char* scheme : {"iob2", "iobes"})  // of tags alone: annotations have none
    CHECK(has(converted({folder / "a.jsonl", "--repair", "drop", "--scheme", scheme}), "Bo\tB-PER\n"));
  put(folder / "b.jsonl", records + "{\"tokens\":[\"x\",\"y\"],\"tags\":[\"O\",\"I-LOC\"]}\n");
  CHECK(converted({folder / "b.jsonl", "--repair", "drop"}) == all + "x\tO\ny\tO\n\n");
  CHECK(converted({folder / "b.jsonl"}) == all + "x\tO\ny\tB-LOC\n\n");
  // which takes a second look
  const std::vector<std::string> line{"convert", "--quiet", "--input-format", "jsonl", "--repair", "drop"};
  check_refused(run(line, {.input = records}),
                "entrain.app.46: standard input:1: tags in an unknown scheme, in an input that can be read only once, "
                "expected --scheme with --repair drop; or save it in a file");
  CHECK(converted({"--input-format", "jsonl", "--repair", "drop", "--scheme", "iob2"}, {.input = records}) == all);
  CHECK(converted({"--input-format", "jsonl", "--repair", "drop"},
                  {.input = "{\"text\":\"Bo\",\"label\":[[0,2,\"PER\"]]}\n"}) == "Bo\tB-PER\n\n");
  CHECK(converted({"--input-format", "jsonl", "--scheme", "io"},
                  {.input = "{\"text\":\"Bo Li\",\"label\":[[0,2,\"PER\"],[3,5,\"PER\"]]}\n"}) ==
        "Bo\tB-PER\nLi\tB-PER\n\n");
}

TEST_CASE("convert: empty words of columns come back from JSON lines, with their tags") {
  const Scratch folder;
  const std::string columns =
      "\tB-X\na\tI-X\nb\tO\n\tB-Y\n\tB-Y\n\tB-Y\n\tI-Y\nc\tO\nd\tB-X\n\tI-X\n\tO\n\n"
      "\tO\n\xC3\xA9\tO\n\n\tB-X\n\n";
  put(folder / "a.conll", columns);
  CHECK(converted({folder / "a.conll", "-o", folder / "a.jsonl"}).empty());
  CHECK(has(get(folder / "a.jsonl"), "\"tokens\":[[0,0],[1,2]"));
  const Ran back = run({"convert", folder / "a.jsonl"});
  CHECK(back.exit == 0);
  CHECK(back.out == columns);
  CHECK(has(back.err, "met 9 empty tokens\n"));
  CHECK(has(run({"check", folder / "a.jsonl"}).out, "3 sentences, 14 tokens, 6 entities"));
  CHECK(converted({folder / "a.jsonl", "--format", "jsonl"}) == get(folder / "a.jsonl"));
}

TEST_CASE("convert: what is no such JSON is refused with its line") {
  const auto refused = [](const std::string& line, const std::string& sentence) {
    check_refused(run({"convert", "--quiet", "--input-format", "jsonl"}, {.input = "{\"text\":\"a\"}\n" + line + "\n"}),
                  sentence);
  };
  refused("{", "entrain.text.40: standard input:2: ");
  refused("[]", "entrain.text.42: standard input:2: an array, expected an object per line");
  refused("{\"a\":1}", "entrain.text.42: standard input:2: ");
  refused("{\"tokens\":[\"a\"],\"tags\":[]}",
          "entrain.text.42: standard input:2: 0 tags, expected 1, one for each word");
  refused("{\"text\":\"ab\",\"tokens\":[[0,3]]}", "entrain.text.42: standard input:2: ");
  refused("{\"text\":\"ab\",\"entities\":[[0,1,\"PER\"]]}", "entrain.text.41: standard input:2: ");
  const Ran lenient = run({"convert", "--lenient", "--input-format", "jsonl"}, {.input = "{\n{\"text\":\"a\"}\n"});
  CHECK(lenient.exit == 0);
  CHECK(lenient.out == "a\tO\n\n");
  CHECK(has(lenient.err, "warning: standard input:1: "));
  CHECK(has(lenient.err, "1 malformed line"));
}

TEST_CASE("convert: annotated text, a pattern of files, packed files") {
  const Scratch folder;
  put(folder / "a.txt", "Ada met Bo.\t[(0, 3, 'PER'), (8, 10, \"PER\")]\n\nIn Oslo\t[(3, 7, \"LOC\")]\n");
  CHECK(converted({folder / "a.txt"}) == "Ada\tB-PER\nmet\tO\nBo\tB-PER\n.\tO\n\nIn\tO\nOslo\tB-LOC\n\n");
  const std::string json = converted({folder / "a.txt", "--format", "jsonl"});
  CHECK(json.starts_with("{\"text\":\"Ada met Bo.\","));
  put(folder / "a.jsonl", json);
  CHECK(converted({folder / "a.jsonl", "--format", "jsonl"}) == json);
  put(folder / "p-1.conll", "a\tO\n\n");
  put(folder / "p-2.conll", "b\tB-X\n\n");
  CHECK(converted({folder / "p-*.conll"}) == "a\tO\n\nb\tB-X\n\n");
  check_refused(run({"convert", "--quiet", folder / "q-*.conll"}), "entrain.text.36: ");
  put(folder / "p-3.jsonl", json);
  check_refused(
      run({"convert", "--quiet", folder / "p-*"}),
      "entrain.app.30: " + (folder / "p-3.jsonl") +
          ": jsonl (by its name), expected conll, as for the files before it; name the format with --input-format");
}

TEST_CASE("check: all problems of other formats, each with its line") {
  const Scratch folder;
  put(folder / "a.jsonl",
      "{\"text\":\"Ada met "
      "Bo\",\"label\":[[0,3,\"PER\"],[8,9,\"PER\"]]}\n{\n{\"text\":\"Bo\",\"label\":[[0,2,\"PER\"]]}\n");
  const Ran bad = run({"check", folder / "a.jsonl"});
  CAPTURE(bad.out);
  CHECK(bad.exit == 1);
  CHECK(has(bad.out, (folder / "a.jsonl") + ":1: entity [8, 9) PER ends inside a word"));
  CHECK(has(bad.out, (folder / "a.jsonl") + ":2: "));
  CHECK(has(bad.out, "2 sentences, 4 tokens, 2 entities"));
  CHECK(has(bad.out, "1 malformed line, 1 bad entity"));
  CHECK(has(run({"check", folder / "a.jsonl", "--misaligned", "snap"}).out, "2 sentences, 4 tokens, 3 entities"));
}

TEST_CASE("check --fix: labels of JSON Lines") {
  const Scratch folder;
  const std::string good = "{\"text\":\"Ada Bo\",\"spans\":[[0,3,\"PER\"],[4,6,\"PER\"]]}\n",
                    odd = "{\"text\":\"Al\",\"spans\":[{\"start\":0,\"end\":2,\"label\":\"PER \"}], \"id\":7}\n",
                    repaired = "{\"text\":\"Al\",\"spans\":[{\"start\":0,\"end\":2,\"label\":\"PER\"}], \"id\":7}\n";
  const std::string a = folder / "a.jsonl";
  put(a, good + odd);
  const Ran ran = run({"check", a, "--fix", folder / "out"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, a + ":2: label 'PER ' (1 here) differs from 'PER' by blanks (U+0020) only\n"));
  CHECK(ran.out.ends_with("\n" + a + ":2: form: \"PER \" -> \"PER\"\n"));
  CHECK(has(ran.err, "rules       form and case of JSON Lines; the others are for CoNLL files\n"));
  CHECK(has(ran.err, "repaired    " + (folder / "out/a.jsonl") + ": 1 change\n"));
  CHECK(get(folder / "out/a.jsonl") == good + repaired);
  const Ran again = run({"check", folder / "out/a.jsonl", "--fix", folder / "twice", "--fix-rules", "case,form"});
  CHECK_FALSE(has(again.out, "differs"));
  CHECK(again.err == "repaired    " + (folder / "twice/a.jsonl") + ": 0 changes\n");
  CHECK(get(folder / "twice/a.jsonl") == good + repaired);
  // with a CoNLL file, whose labels count
  put(folder / "b.conll", "x\tS-PER\n\tO\n");
  const Ran both = run({"check", a, folder / "b.conll", "--fix", folder / "both"});
  CHECK(has(both.out, a + ":2: form: \"PER \" -> \"PER\"\n"));
  CHECK(get(folder / "both/b.conll") == "x\tS-PER\n");
  // one label a text
  put(folder / "l.jsonl", "{\"text\":\"x\",\"label\":\"card\"}\n{\"text\":\"y\",\"label\":\"card\\u200b\"}\n");
  const Ran labels = run({"check", folder / "l.jsonl", "--fix", folder / "out"});
  CHECK(labels.out.ends_with("l.jsonl:2: form: \"card\\u200b\" -> \"card\"\n"));
  CHECK(get(folder / "out/l.jsonl") == "{\"text\":\"x\",\"label\":\"card\"}\n{\"text\":\"y\",\"label\":\"card\"}\n");

  check_refused(run({"check", "--quiet", a, "--fix", folder / "out", "--fix-rules", "form,scheme"}),
                "entrain.app.36: --fix-rules: rule 'scheme', which is for CoNLL files, and " + a +
                    " (jsonl), expected form, case or all for JSON Lines");
  check_refused(
      run({"check", "--quiet", "-", "--input-format", "jsonl", "--fix", folder / "out"}, {.input = good}),
      "entrain.app.36: --fix: standard input (jsonl), which can be read only once, expected JSON Lines in a file");
  put(folder / "c.txt", "Ada met Bo\t[(0, 3, \"PER\")]\n");
  check_refused(run({"check", "--quiet", folder / "c.txt", "--fix", folder / "out"}),
                "entrain.app.36: --fix: " + (folder / "c.txt") +
                    " (annotated), expected CoNLL files or JSON Lines; make JSON Lines of it: convert " +
                    (folder / "c.txt") + " --format jsonl");
}

TEST_CASE(
    "check: a file of which no record can be used has its problems listed, and who cannot go on names the first") {
  const Scratch folder;
  const auto listed = [&](const char* name, const std::string& bytes, const std::vector<std::string>& problems) {
    put(folder / name, bytes);
    const Ran ran = run({"check", folder / name});
    CAPTURE(ran.err);
    CAPTURE(ran.out);
    CHECK(ran.exit == 1);
    CHECK(times(ran.err, "error: ") == 0);
    for (std::size_t i = 0; i < problems.size(); ++i)
      CHECK(has(ran.out, (folder / name) + ":" + std::to_string(i + 1) + ": " + problems[i]));
    CHECK(has(ran.out, std::to_string(problems.size()) + " malformed line"));
  };
  const std::string numbers = "{\"tokens\":[\"Ada\",\"met\"],\"ner_tags\":[1,0]}\n",
                    tag = "tag 1, expected tags as strings; name the numeric tags: --tag-names O,B-PER,I-PER,...";
  listed("num.jsonl", numbers + numbers, {tag, tag});
  listed("array.jsonl", "[{\"text\":\"a\"}]\n",
         {"an array, expected an object per line; convert it to lines: jq -c '.[]'"});
  listed("latin.jsonl", "{\"text\":\"\xE9\"}\n", {"bytes that are not UTF-8, expected text in UTF-8"});
  listed("a.jsonl", "Ada\tB-PER\n", {"'Ada\\tB-PER', expected an object"});
  listed("cr.jsonl", "{\"text\":\"a\"}\r{\"text\":\"b\"}\r",
         {"lines end in CR only, expected LF or CR LF; convert them: tr '\\r' '\\n'"});
  put(folder / "ok.jsonl", "{\"text\":\"Ada\",\"entities\":[[0,3,\"PER\"]]}\n");
  CHECK(has(run({"check", folder / "ok.jsonl", folder / "num.jsonl"}).out, (folder / "num.jsonl") + ":2: " + tag));

  const std::string path = folder / "num.jsonl",
                    first = "; the first of 2 problems (check lists them) is " + path + ":1: " + tag;
  const std::vector<std::string> train{"train", "--quiet", "--lenient", "--train", path, "--output", folder / "m"};
  check_refused(run(train), "entrain.text.9: " + path +
                                ": no word in 2 lines (2 malformed lines), expected texts with entities, or words "
                                "with tags" +
                                first);
  for (const std::vector<std::string>& way : {std::vector<std::string>{"--stream"}, {"--cache", folder / "c"}}) {
    std::vector<std::string> arguments = train;
    arguments.insert(arguments.end(), way.begin(), way.end());
    check_refused(run(arguments),
                  "entrain.train.1: " + path +
                      ": no sentence in 2 lines (2 malformed lines), expected at least one token and its tag" + first);
  }
  put(folder / "empty.jsonl", "{\"text\":\"\"}\n");  // nothing wrong with it, and nothing in it
  check_refused(run({"check", "--quiet", folder / "empty.jsonl"}),
                "entrain.text.9: " + (folder / "empty.jsonl") +
                    ": no word in 1 line (1 record without a word), expected texts with entities, or words with tags; "
                    "check that this is the intended file\n");
}

TEST_CASE("columns without a token: other columns there are counted, and check lists what is wrong with them") {
  const Scratch folder;
  const std::string path = folder / "a.conll", meant = "; check that this is the intended file";
  const auto train = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"train", "--quiet", "--train", path, "--output", folder / "m", "--max-steps", "1"});
    return run(more);
  };
  const auto refused = [&](const std::string& bytes, const std::string& counts, const std::string& advice) {
    put(path, bytes);
    const std::string whole =
        "entrain.text.9: " + path + ": no tokens in " + counts + ", expected lines of a token and a tag" + advice;
    check_refused(run({"check", "--quiet", path}), whole);
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--lenient"}})
      check_refused(train(more), whole);
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--stream"}, {"--cache", folder / "c"}})
      check_refused(train(more), "entrain.train.1: " + path + ": no sentence in " + counts +
                                     ", expected at least one token and its tag" + advice);
  };
  refused("\n\n \n", "3 lines (3 blank lines)", meant);
  refused("-DOCSTART- -X- O O\n\n", "2 lines (1 -DOCSTART- line, 1 blank line)", meant);
  refused("# Ada met Bo .\n#\n", "2 lines (2 comments)",
          meant + " lines that start with # and have no tag are comments");

  put(path, "Ada\t\nmet\t\nBo\tB-PER\tx\n");
  const Ran found = run({"check", "--quiet", path, "--tag-column", "1"});
  CHECK(found.exit == 1);
  CHECK(found.err.empty());
  CHECK(has(found.out, path + ":1: the tag is empty\n" + path + ":2: the tag is empty\n" + path +
                           ":3: 3 columns, expected 2 separated by TAB\n"));
  CHECK(has(found.out, "\n3 malformed lines, 1 file without entities\n"));
  const std::string first = "; the first of 3 problems (check lists them) is " + path + ":1: the tag is empty";
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--tag-column", "1"}, {"--tag-column", "1", "--lenient"}})
    check_refused(train(more), "entrain.text.9: " + path +
                                   ": no tokens in 3 lines (3 malformed lines), expected lines of a token and a tag" +
                                   first);
  check_refused(train({"--tag-column", "1", "--lenient", "--stream"}),
                "entrain.train.1: " + path +
                    ": no sentence in 3 lines (3 malformed lines), expected at least one token and its tag" + first);

  // with files that have tokens it is left out, as it would be with a record a line
  put(folder / "b.conll", sentences(20));
  const std::vector<std::string> both{"train", "--train", folder / "*.conll", "--tag-column", "1", "--max-steps", "1"};
  std::vector<std::string> lenient = both;
  lenient.insert(lenient.end(), {"--lenient", "--output", folder / "m"});
  const Ran trained = run(lenient);
  CHECK(trained.exit == 0);
  CHECK(has(trained.err, path + ":3: 3 columns, expected 2 separated by TAB\n"));
  CHECK(has(trained.err, ": 3 malformed lines skipped\n"));
  std::vector<std::string> strict = both;
  strict.insert(strict.end(), {"--quiet", "--output", folder / "n"});
  check_refused(run(strict), "entrain.app.4: " + path + ":1: the tag is empty; one of 3 such lines");
}

TEST_CASE("check: labels and tags are put on a line, whatever bytes they have") {
  const Scratch folder;
  put(folder / "a.jsonl", "{\"text\":\"Ada\",\"entities\":[[0,3,\"PER\\nORG\\u001b[31m\"]]}\n");
  const Ran ran = run({"check", folder / "a.jsonl"});
  CHECK(has(ran.out, "rare label 'PER\\nORG<U+001B>[31m' (1 here)\n"));
  CHECK(has(ran.out, "\n  PER\\nORG<U+001B>[31m: 1\n"));
  CHECK(!has(ran.out, "\x1b"));
  put(folder / "b.jsonl", "{\"tokens\":[\"Ada\",\"met\"],\"ner_tags\":[\"I-P\\nQ\",\"x\\ny\"]}\n");
  const Ran tags = run({"check", folder / "b.jsonl", "--scheme", "iob2"});
  CHECK(has(tags.out, ":1: tag 'x\\ny': "));
  CHECK(has(tags.out, ":1: I-P\\nQ at the start of a sentence is not allowed in BIO\n"));
  const Ran trained = run({"train", "--train", folder / "a.jsonl", "--max-steps", "1", "--output", folder / "m"});
  CHECK(has(trained.err, "one label only, 'PER\\nORG<U+001B>[31m' (1 mention)"));
}

TEST_CASE("train, evaluate, score: labels are put on a line, and JSON has them as they are") {
  const Scratch folder;
  const std::string path = folder / "a.jsonl", label = "PER\nORG\x1b[31m", shown = "PER\\nORG<U+001B>[31m";
  put(path, "{\"text\":\"Ada met Bo\",\"entities\":[[0,3,\"PER\\nORG\\u001b[31m\"],[8,10,\"x\\ty\\u009b\\u202e\"]]}\n");
  const std::vector<std::string> train{"train", "--train", path, "--test", path, "--max-steps", "1", "--output"};
  const auto with = [](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  const auto check_table = [&](const std::string& table) {
    CAPTURE(table);
    CHECK(has(table, "\n  " + shown + "  "));
    CHECK(has(table, "\n  x\\ty<U+009B><U+202E>  "));
    for (const char* raw : {"\x1b", "\u009b", "\u202e", "\t"}) CHECK(!has(table, raw));
  };
  const Ran trained = run(with(train, {folder / "m"}));
  CHECK(has(trained.err, "labels      2 types in BIOES: " + shown + ", x\\ty<U+009B><U+202E>\n"));
  check_table(trained.out);
  CHECK(has(run(with(train, {folder / "n", "--init", folder / "m"})).err,
            "labels that are kept: " + shown + ", x\\ty<U+009B><U+202E>\n"));
  const std::vector<std::string> evaluate{"evaluate", "--quiet", "--model", folder / "m", "--test", path},
      score{"score", "--quiet", path, path};
  for (const auto& command : {evaluate, score}) {
    check_table(run(command).out);
    const auto json = nlohmann::json::parse(run(with(command, {"--json"})).out);
    CHECK(json["strict"]["types"].contains(label));
    CHECK(json["strict"]["types"].contains("x\ty\u009b\u202e"));
  }
  const auto json = nlohmann::json::parse(run(with(train, {folder / "o", "--json", "--quiet"})).out);
  CHECK(json["test"]["conlleval"]["types"].contains(label));
  CHECK(json["dictionary"]["strict"]["types"].contains(label));
}

TEST_CASE("check: problems of one record that are not listed are counted as what they are") {
  const Scratch folder;
  std::string spans;
  for (int i = 0; i < 20'000; ++i) spans += (i > 0 ? ",[9,9,\"X\"]" : "[9,9,\"X\"]");
  put(folder / "a.jsonl", "{\"text\":\"Ada\",\"entities\":[" + spans + "]}\n{\n");
  const Ran ran = run({"check", folder / "a.jsonl"});
  CHECK(ran.exit == 1);
  CHECK(has(ran.out, "\n19980 more bad entities; --list all lists them\n"));
  CHECK(has(run({"check", folder / "a.jsonl", "--list", "all"}).out,
            (folder / "a.jsonl") + ": 1 more malformed line, not listed\n" + (folder / "a.jsonl") +
                ": 10000 more bad entities, not listed\n"));
  CHECK(has(ran.out, "\n1 malformed line, 20000 bad entities, "));
}

TEST_CASE("convert: words and labels that no line of CoNLL can hold are refused, with their place") {
  const auto refused = [](const std::string& record, const std::string& sentence) {
    check_refused(
        run({"convert", "--quiet", "--input-format", "jsonl"}, {.input = "{\"text\":\"x\"}\n" + record + "\n"}),
        sentence + "; write jsonl");
  };
  const std::string words = ", expected words that a line of CoNLL can hold",
                    labels = ", expected labels that a line of CoNLL can hold";
  refused("{\"tokens\":[\"b\",\"a\\tb\"],\"tags\":[\"O\",\"O\"]}",
          "entrain.app.7: standard input:2: the word 'a\\tb' with a TAB or a line end in it" + words);
  refused("{\"tokens\":[\"b\",\"a\\u0000b\"],\"tags\":[\"O\",\"O\"]}",
          "entrain.app.7: standard input:2: the word 'a<U+0000>b' with a NUL in it" + words);
  refused("{\"text\":\"a\",\"label\":[[0,1,\"P\\u0000\"]]}",
          "entrain.app.7: standard input:2: the label 'P<U+0000>' with a NUL in it" + labels);
  refused("{\"text\":\"a\",\"label\":[[0,1,\"P\\nO\"]]}",
          "entrain.app.7: standard input:2: the label 'P\\nO' with a TAB or a line end in it" + labels);
  // the mark of a document is no word
  for (const char* word : {"-DOCSTART-", "-DOCSTART- x"})
    refused(std::string("{\"tokens\":[\"") + word + "\",\"a\"],\"tags\":[\"O\",\"B-X\"]}",
            std::string("entrain.app.7: standard input:2: the word '") + word + "' that starts like a document marker" +
                words);
  CHECK(converted({"--input-format", "jsonl"}, {.input = "{\"tokens\":[\"-DOCSTART-x\"],\"tags\":[\"O\"]}\n"}) ==
        "-DOCSTART-x\tO\n\n");
  const Scratch folder;
  put(folder / "a.conll", "a\tO\n\nb\tO\n# a comment\nb\rc\tO\n\n");
  check_refused(run({"convert", "--quiet", folder / "a.conll", "--to", "iobes"}),
                "entrain.app.7: " + (folder / "a.conll") + ":5: the word 'b\\rc' with a TAB or a line end in it" +
                    words + "; write jsonl");
  check_wrong_usage(run({"convert", "a", "b"}), "entrain.app.13: convert: 2 files, expected one");
}

TEST_CASE("convert: a first word that begins with U+FEFF keeps it") {
  const Scratch folder;
  const std::string word =
      "\xEF\xBB\xBF"
      "a";
  put(folder / "a.jsonl", "{\"tokens\":[\"" + word + "\",\"b\"],\"tags\":[\"B-X\",\"O\"]}\n{\"tokens\":[\"" + word +
                              "\"],\"tags\":[\"O\"]}\n");
  const std::string columns = "\n" + word + "\tB-X\nb\tO\n\n" + word + "\tO\n\n";
  CHECK(converted({folder / "a.jsonl", "-o", folder / "a.conll"}).empty());
  CHECK(get(folder / "a.conll") == columns);
  CHECK(converted({folder / "a.conll"}) == columns);
}

TEST_CASE("convert --to io: entities that it cannot part are counted as what is written") {
  const Scratch folder;
  put(folder / "a.conll", "Ada\tB-PER\nBo\tB-PER\nLi\tB-PER\nmet\tO\nOslo\tB-LOC\nEmre\tB-PER\n\nBo\tB-PER\n\n");
  const Ran io = run({"convert", folder / "a.conll", "--to", "io"});
  CHECK(io.exit == 0);
  CHECK(io.out == "Ada\tI-PER\nBo\tI-PER\nLi\tI-PER\nmet\tO\nOslo\tI-LOC\nEmre\tI-PER\n\nBo\tI-PER\n\n");
  CHECK(has(io.err,
            "warning: IO cannot separate 2 entities from the adjacent one of the same type: read as one; use another "
            "--to\n"));
  CHECK(has(io.err, "standard output: 2 sentences in IO, 4 entities\n"));
  const Ran iob1 = run({"convert", folder / "a.conll", "--to", "iob1"});
  CHECK(!has(iob1.err, "warning"));
  CHECK(has(iob1.err, "2 sentences in IOB1, 6 entities\n"));
  CHECK(has(run({"convert", folder / "a.conll", "--format", "jsonl", "--to", "io"}).err, "2 lines, 6 entities\n"));
}

TEST_CASE("convert: of columns that are not UTF-8 JSON lines say what is written for it") {
  const Scratch folder;
  put(folder / "a.conll", "a\tO\nb\xFF\tO\n\n\xE9\tO\n\n");
  const Ran ran = run({"convert", folder / "a.conll", "--format", "jsonl"});
  CHECK(has(ran.out, "{\"text\":\"a b\xEF\xBF\xBD\","));
  CHECK(has(
      ran.err,
      "warning: " + (folder / "a.conll") +
          ":2: byte 0xFF in the word 'b<FF>' is not UTF-8; one of 2 such words; such bytes are written as U+FFFD\n"));
  CHECK(!has(run({"convert", folder / "a.conll"}).err, "U+FFFD"));
}

TEST_CASE("check: problems as file:line on standard output, exit code 1 for errors") {
  const Scratch folder;
  const Ran good = run({"check", in_home("train.conll"), in_home("dev.conll"), in_home("test.conll")});
  CHECK(good.exit == 0);
  CHECK(has(good.out, "PER"));
  put(folder / "bad.conll",
      "\xEF\xBB\xBF"
      "Ada\tB-PER\r\nmet\tO\r\n \r\nBo\tI-PER\r\nonly\r\nLi\tB-per\r\n\tO\r\n");
  const Ran bad = run({"check", folder / "bad.conll"});
  CAPTURE(bad.out);
  CHECK(bad.exit == 1);
  for (int at : {5, 7}) CHECK(has(bad.out, (folder / "bad.conll") + ":" + std::to_string(at) + ": "));

  const Ran fixed = run({"check", folder / "bad.conll", "--fix", folder / "out"});
  CAPTURE(fixed.out);
  CHECK(has(fixed.out, (folder / "bad.conll") + ":5: malformed: "));
  CHECK(has(fixed.out, (folder / "bad.conll") + ":1: bom: "));
  CHECK(has(fixed.err, "repaired    " + (folder / "out/bad.conll") + ": "));
  CHECK(get(folder / "bad.conll").starts_with("\xEF\xBB\xBF"));  // the original stays
  const std::string repaired = get(folder / "out/bad.conll");
  CHECK(repaired.starts_with("Ada\tB-PER\nmet\tO\n\nBo\tB-PER\n"));
  CHECK(!has(repaired, "\r"));
  CHECK(fixed.exit == 0);
  CHECK(run({"check", folder / "out/bad.conll"}).exit == 0);
  // only the rules that were named
  CHECK(run({"check", folder / "bad.conll", "--fix", folder / "bom", "--fix-rules", "bom"}).exit == 1);
  CHECK(get(folder / "bom/bad.conll") == get(folder / "bad.conll").substr(3));
}

TEST_CASE("check --fix: no file is written over another, and none over its own original") {
  const Scratch folder;
  std::filesystem::create_directory(folder / "a");
  std::filesystem::create_directory(folder / "b");
  put(folder / "a/x.conll", bio);
  put(folder / "b/x.conll", "Bo\tI-PER\n");
  check_refused(run({"check", "--quiet", folder / "a/x.conll", folder / "b/x.conll", "--fix", folder / "out"}),
                "entrain.app.15: --fix: two copies named " + (folder / "out/x.conll"));
  check_refused(run({"check", "--quiet", folder / "b/x.conll", "--fix", folder / "b"}),
                "entrain.app.15: --fix: a copy named " + (folder / "b/x.conll") + ", which is the original");
  CHECK(get(folder / "b/x.conll") == "Bo\tI-PER\n");
  check_refused(run({"check", "--quiet", folder / "b/x.conll", "--fix", folder / "b/x.conll"}), "entrain.app.10");
}

TEST_CASE("score: any two files, as a table and as JSON") {
  const Scratch folder;
  put(folder / "gold.conll", bio);
  put(folder / "same.conll", converted({folder / "gold.conll", "--to", "iobes"}));
  std::string half = bio;
  half.replace(half.find("Bo\tB-PER"), 8, "Bo\tO");
  half.replace(half.find("York\tI-LOC"), 10, "York\tB-LOC");
  put(folder / "half.conll", half);
  const Ran perfect = run({"score", folder / "gold.conll", folder / "gold.conll", "--json"});
  CHECK(perfect.exit == 0);
  CHECK(has(perfect.out, "\"gold\":5"));
  CHECK(has(perfect.out, "\"f1\":1"));
  const Ran other = run({"score", folder / "gold.conll", folder / "same.conll", "--json"});
  std::string in_bio = other.out;
  in_bio.replace(in_bio.find("\"predicted_scheme\":\"BIOES\""), 26, "\"predicted_scheme\":\"BIO\"");
  CHECK(in_bio == perfect.out);
  const std::string compared =
      "gold is in BIO, predictions are in BIOES: entities are compared, by their words and types\n";
  CHECK(has(other.err, compared));
  CHECK(has(run({"score", folder / "gold.conll", folder / "same.conll"}).out, compared));
  const Ran table = run({"score", folder / "gold.conll", folder / "half.conll"});
  CHECK(table.out.starts_with("strict (BIO)"));
  CHECK(has(table.out, "micro               60.00   60.00   60.00        5          5        3\n"));
  CHECK(has(table.out, "LOC                  0.00    0.00    0.00        1          2        0\n"));
}

TEST_CASE("score: files of other sentences are refused, other words are said") {
  const Scratch folder;
  put(folder / "gold.conll", bio);
  put(folder / "fewer.conll", bio.substr(0, bio.find("\n\n") + 2));
  put(folder / "words.conll", "X" + bio);
  check_refused(run({"score", "--quiet", folder / "gold.conll", folder / "fewer.conll"}),
                "entrain.app.12: " + (folder / "fewer.conll") + ": sentence 2 is missing, expected 2 words, as in " +
                    (folder / "gold.conll"));
  const Ran ran = run({"score", folder / "gold.conll", folder / "words.conll"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "warning: " + (folder / "words.conll") + ":1: 1 word differs from that in "));
}

}  // namespace convert_test
