// tests > [app]
//
// Records of text without words: train splits them as the saved model splits its input, so that evaluate gives the same
// scores, and a cache or a state of other splitters is not used.
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "entrain/app/train/session.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "tests/app/killed.hpp"
#include "tests/app/program.hpp"

namespace raw_records_test {
using namespace test;
using nlohmann::json;
namespace app = entrain::app;
namespace checkpoint = entrain::checkpoint;

namespace {

/// Two sentences a record. By white space a record has 7 words, as the signs belong to the words before them; by the
/// default splitter it has 10.
std::string texts(int count, int first = 0) {
  constexpr std::array<const char*, 5> people{"Ada", "Bo", "Chen", "Dara", "Emre"};
  constexpr std::array<const char*, 4> places{"Oslo", "Lima", "Kyoto", "Accra"};
  std::string all;
  for (int i = first; i < first + count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::string a = people[k % 5], b = std::string(people[(k + k / 5 + 1) % 5]) + ",", c = places[k % 4];
    const auto entity = [](std::size_t begin, const std::string& name, const char* type) {
      return "[" + std::to_string(begin) + "," + std::to_string(begin + name.size()) + ",\"" + type + "\"]";
    };
    const std::string before = a + " met " + b + " in ";
    all += "{\"text\":\"" + before + c + ". All left!\",\"label\":[" + entity(0, a, "PER") + "," +
           entity(a.size() + 5, b, "PER") + "," + entity(before.size(), c + ".", "LOC") + "]}\n";
  }
  return all;
}

const std::vector<std::string> by_blanks{"--splitter", "whitespace", "--sentence-splitter", "whole-text"};

/// A folder with a training file, a dev file and a test file.
class Corpus {
 public:
  Corpus() {
    put(folder_ / "train.jsonl", texts(60));
    put(folder_ / "dev.jsonl", texts(20, 60));
    put(folder_ / "test.jsonl", texts(20, 80));
  }
  std::string operator/(const char* name) const { return folder_ / name; }
  std::vector<std::string> train(const char* output, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> line{"train",
                                  "--train",
                                  *this / "train.jsonl",
                                  "--dev",
                                  *this / "dev.jsonl",
                                  "--test",
                                  *this / "test.jsonl",
                                  "--threads",
                                  "1",
                                  "--json",
                                  "--output",
                                  *this / output};
    line.insert(line.end(), more.begin(), more.end());
    return line;
  }

 private:
  Scratch folder_;
};

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Ran done(const std::vector<std::string>& arguments) {
  Ran ran = run(arguments);
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  return ran;
}

}  // namespace

TEST_CASE("raw records: train reads them by the splitters that it saves, so evaluate gives the same scores") {
  const Corpus corpus;
  const auto same_scores = [&](const std::vector<std::string>& splitters, int tokens, const std::string& of_train) {
    for (const std::vector<std::string>& way :
         {std::vector<std::string>{}, {"--stream"}, {"--cache", corpus / "cache"}}) {
      const Ran ran = done(
          corpus.train("m", joined(joined({"--overwrite", "--max-steps", "30", "--no-calibrate"}, splitters), way)));
      CAPTURE(ran.err);
      CHECK(has(ran.err, of_train));
      const json trained = json::parse(ran.out);
      const auto evaluated = [&](const char* file) {
        return json::parse(done({"evaluate", "-m", corpus / "m", corpus / file, "--json"}).out);
      };
      CHECK(trained["test"]["tokens"] == tokens);
      CHECK(trained["test"] == evaluated("test.jsonl"));
      CHECK(trained["best_dev_f1"] == evaluated("dev.jsonl")["strict"]["micro"]["f1"]);
    }
  };
  same_scores(by_blanks, 20 * 7, "60 sentences, 420 words, 180 entities");
  same_scores({}, 20 * 10, "120 sentences, 600 words, 180 entities");
  const Ran planned = done(corpus.train("none", joined({"--plan"}, by_blanks)));
  CHECK(has(planned.err, "60 sentences, 420 words, 180 entities"));
  CHECK(has(planned.err, "20 sentences, 140 words, 60 entities"));
}

TEST_CASE("raw records: so are texts with annotations, and each option counts alone") {
  const Corpus corpus;
  put(corpus / "texts", "Ada met Bo, too. She left!\t[(0, 3, \"PER\"), (8, 11, \"PER\")]\n");
  const auto read = [&](const std::vector<std::string>& splitters) {
    return run(joined({"train", "--train", corpus / "texts", "--plan"}, splitters)).err;
  };
  CHECK(has(read({}), "2 sentences, 9 words, 2 entities"));
  CHECK(has(read({"--splitter", "whitespace"}), "2 sentences, 6 words, 2 entities"));
  CHECK(has(read({"--sentence-splitter", "lines"}), "1 sentence, 9 words, 2 entities"));
}

TEST_CASE("raw records: a cache of other splitters is not used") {
  const Corpus corpus;
  const std::vector<std::string> usual{"--overwrite", "--max-steps", "20"};
  const auto cached = [&](const std::vector<std::string>& splitters) {
    return done(corpus.train("m", joined(joined(usual, splitters), {"--cache", corpus / "cache"}))).err;
  };
  const auto weights = [&] { return get(corpus / "m/model.safetensors"); };
  CHECK(has(cached({}), ", built now\n"));
  const std::string by_default = weights();
  CHECK(has(cached(by_blanks), ", built now\n"));
  const std::string blanks = weights();
  CHECK(has(cached({"--splitter", "whitespace"}), ", built now\n"));
  CHECK(has(cached({"--sentence-splitter", "whole-text"}), ", built now\n"));
  CHECK(has(cached(by_blanks), ", reused\n"));
  CHECK(weights() == blanks);
  done(corpus.train("m", joined(usual, by_blanks)));
  CHECK(weights() == blanks);
  // The default splitters, named or not, are the same cache.
  CHECK(has(cached({"--splitter", "unicode-words-1", "--sentence-splitter", "unicode-sentences-1"}), ", reused\n"));
  CHECK(weights() == by_default);
  CHECK(by_default != blanks);
}

TEST_CASE("raw records: --resume with other splitters is refused, and the state stays") {
  const Corpus corpus;
  const std::string path = corpus / "m/" + state;
  const std::vector<std::string> options{"--epochs", "40", "--save-steps", "5"};
  kill_after_a_state(corpus.train("m", joined(options, by_blanks)), corpus / "m");
  const std::string kept = get(path);
  REQUIRE(!kept.empty());
  const auto refused = [&](const std::vector<std::string>& splitters, const std::string& sentence) {
    const Ran ran = run(corpus.train("m", joined(joined(options, splitters), {"--resume", "--quiet"})));
    check_refused(ran, "entrain.train.24: " + path + ": " + sentence +
                           "; use the original value, or start again without --resume\n");
    CHECK(get(path) == kept);
  };
  refused({}, "splitter of the stopped training: whitespace, expected the current unicode-words-1");
  refused({"--splitter", "whitespace"},
          "sentence_splitter of the stopped training: whole-text, expected the current unicode-sentences-1");
  done(corpus.train("m", joined(joined(options, by_blanks), {"--resume"})));
  done(corpus.train("whole", joined(options, by_blanks)));
  same_model(corpus / "whole", corpus / "m");
}

TEST_CASE("raw records: a state without splitters, of an older entrain, is not refused for them") {
  const Scratch folder;
  checkpoint::save_training_state(folder.path(), {{}, {{"device", "cpu"}}}, {});
  app::Settings settings;
  settings.files.train = in_home("train.conll");
  settings.output = folder / "m";  // not the folder of an earlier ./dev train
  settings.splitter = "whitespace";
  settings.quiet = true;
  app::TrainerFacts facts;
  facts.splitter = "unicode-words-1", facts.sentence_splitter = "unicode-sentences-1";
  app::Session session(settings);
  session.start(facts, checkpoint::load_training_state(folder.path()));
  CHECK(session.about(0, 0).splitter == "whitespace");
  CHECK(session.about(0, 0).sentence_splitter == "unicode-sentences-1");
}

TEST_CASE("raw records: predict reads the sentences that evaluate reads, whatever labels a record has") {
  const Corpus corpus;
  done(corpus.train("m", {"--max-steps", "10"}));
  const std::string text = R"({"text":"Ada met Bo . All left !",)",
                    words = R"("tokens":["Ada","met","Bo",".","All","left","!"])",
                    places = R"("tokens":[[0,3],[4,7],[8,10],[11,12],[13,16],[17,21],[22,23]])";
  const auto counted = [&](const std::string& record) {
    CAPTURE(record);
    put(corpus / "one.jsonl", text + record + "}\n");
    const std::string predicted =
        done({"predict", "-m", corpus / "m", corpus / "one.jsonl", "-o", corpus / "out.jsonl", "--quiet"}).err;
    CHECK(predicted.empty());
    const Ran scored = done({"score", corpus / "one.jsonl", corpus / "out.jsonl", "--json"});
    CHECK(json::parse(scored.out)["tokens"] == 7);
    const Ran evaluated = done({"evaluate", "-m", corpus / "m", corpus / "one.jsonl", "--json"});
    CHECK(json::parse(evaluated.out)["strict"] == json::parse(scored.out)["strict"]);
    const Ran tagged = done({"predict", "-m", corpus / "m", corpus / "one.jsonl", "--format", "conll"});
    return times(tagged.out, "\n\n");
  };
  for (const std::string& tokens : {words, places}) {
    CHECK(counted(tokens + R"(,"tags":["B-PER","O","B-PER","O","O","O","O"])") == 1);
    CHECK(counted(tokens + R"(,"label":["B-PER","O","B-PER","O","O","O","O"])") == 1);
    CHECK(counted(tokens + R"(,"spans":[[0,3,"PER"]])") == 2);
    CHECK(counted(tokens + R"(,"tags":["B-PER","O","B-PER","O","O","O","O"],"sentences":[4,3])") == 2);
  }
  CHECK(counted(words + R"(,"ner":[[0,0,"PER"],[2,2,"PER"]])") == 1);
  CHECK(counted(words + R"(,"ner":[])") == 1);
  CHECK(counted(words + R"(,"ner":null,"spans":[])") == 1);
  CHECK(counted(words + R"(,"ner":[],"entities":[[0,3,"PER"]])") == 2);
  CHECK(counted(words + R"(,"entities":[[0,3,"PER"]],"ner":[])") == 2);
  CHECK(counted(words + R"(,"entities":[])") == 2);
}

TEST_CASE("raw records: check and convert read them by the splitters that are named") {
  const Corpus corpus;
  put(corpus / "cut.jsonl", R"({"text":"Ada met Bo, too. She left!","label":[[8,10,"PER"]]})"
                            "\n");
  const auto checked = [&](const std::vector<std::string>& more) {
    return run(joined({"check", corpus / "cut.jsonl"}, more));
  };
  CHECK(checked({}).exit == 0);
  const Ran cut = checked({"--splitter", "whitespace"});
  CHECK(cut.exit == 1);
  CHECK(has(cut.out, "entity [8, 10) PER ends inside a word: 'Ada met |Bo|, too."));
  CHECK(has(run({"train", "--train", corpus / "cut.jsonl", "--splitter", "whitespace", "--plan"}).err,
            "entity [8, 10) PER ends inside a word"));

  const auto converted = [&](const std::string& file, const std::vector<std::string>& more) {
    return done(joined({"convert", file, "--format", "conll", "--quiet"}, more)).out;
  };
  put(corpus / "fits.jsonl", R"({"text":"Ada met Bo, too. She left!","label":[[0,3,"PER"]]})"
                             "\n");
  put(corpus / "raw.txt", "Ada met Bo, too. She left!\n");
  for (const char* file : {"fits.jsonl", "raw.txt"}) {
    CAPTURE(file);
    CHECK(has(converted(corpus / file, {}), "\nBo\tO\n,\tO\ntoo\tO\n.\tO\n\nShe\tO\n"));
    CHECK(has(converted(corpus / file, {"--splitter", "whitespace"}), "\nBo,\tO\ntoo.\tO\n\nShe\tO\nleft!\tO\n"));
    CHECK(has(converted(corpus / file, by_blanks), "\nBo,\tO\ntoo.\tO\nShe\tO\nleft!\tO\n"));
  }
  const std::string no_effect = "warning: --splitter has no effect on ";
  CHECK(
      has(run({"check", corpus / "raw.txt", "--splitter", "whitespace"}).err, no_effect + "text without annotations"));
  put(corpus / "texts.csv", "text,label\nAda met Bo,good\n");
  CHECK(has(run({"convert", corpus / "texts.csv", "--splitter", "whitespace", "--format", "jsonl"}).err,
            no_effect + "texts with one label each"));
}

}  // namespace raw_records_test
