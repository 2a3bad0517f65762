// tests > [app]: a tagger with word vectors, frozen and trained.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "entrain/app/ner.hpp"
#include "entrain/embed/with_vectors.hpp"
#include "entrain/train/loop/training.hpp"
#include "tests/app/killed.hpp"
#include "tests/app/program.hpp"
#include "tests/train/tiny.hpp"

namespace vectors_of_tagger_test {
using namespace test;

namespace {
template <class Vectors> using Model = model::Tagger<embed::WithVectors<embed::MultiHash<8, Words, 2>, Vectors>,
                                                     encode::MaxoutWindow<8, 1, 1, 2>, head::Crf<8, text::Bioes>>;
template <class Vectors> using Learner =
    train::Trainer<Model<Vectors>, precision::Fp32, device::Cpu<>, optim::Averaged<optim::AdamW>>;
using Frozen = Learner<embed::StaticVectors<12, 2>>;
using Trained = Learner<embed::TrainedVectors<12, 2>>;

train::Options options() {
  train::Options o;
  o.learning_rate = 0.03;
  o.token_budget = 64;
  o.epochs = 12;
  o.knobs.ema_decay = 0.9;
  o.word_dropout = 0.5;
  return o;
}
template <class T> int program_of(int argc, const char* const* argv) {
  return entrain::app::ner<T>(argc, argv, options());
}
Ran run_frozen(const std::vector<std::string>& arguments, const std::string& input = {}) {
  return run_of(program_of<Frozen>, arguments, input);
}
Ran run_trained(const std::vector<std::string>& arguments) { return run_of(program_of<Trained>, arguments); }

/// Names of people and of places have different vectors; nothing else tells them apart. `held`: names that the training
/// file does not have.
const std::string vectors =
    "11 2\nada 1 0\nbo 1 0.1\nchen 0.9 0\noslo 0 1\nlima 0.1 1\nkyoto 0 0.9\nzed 1 0\nquito 0 1\nyan 1 0.1\nbern 0.1 "
    "1\n"
    "saw 0 0\n";
std::string sentences(const std::vector<std::string>& people, const std::vector<std::string>& places, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto name = [&](std::size_t n) {
      const bool person = (n * 2654435761u >> 7 & 1) == 0;
      const auto& from = person ? people : places;
      return from[n / 3 % from.size()] + (person ? "\tB-PER\n" : "\tB-LOC\n");
    };
    text += name(3 * k) + "saw\tO\n" + name(5 * k + 1) + "\n";
  }
  return text;
}
std::vector<std::string> train_with(const Scratch& folder, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"train",
                                     "--train",
                                     folder / "train.conll",
                                     "--test",
                                     folder / "test.conll",
                                     "--dev",
                                     folder / "dev.conll",
                                     "--output",
                                     folder / "model"};
  if (std::find(more.begin(), more.end(), "--threads") == more.end())
    arguments.insert(arguments.end(), {"--threads", "1"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}
void put_corpus(const Scratch& folder) {
  put(folder / "train.conll", sentences({"Ada", "Bo", "Chen"}, {"Oslo", "Lima", "Kyoto"}, 60));
  put(folder / "dev.conll", sentences({"Ada", "Bo"}, {"Oslo", "Lima"}, 9));
  put(folder / "test.conll", sentences({"Zed", "Yan"}, {"Quito", "Bern"}, 20));
  put(folder / "vectors.txt", vectors);
}
std::size_t correct(const Ran& ran) {
  const std::size_t at = ran.out.find("\"test\"");
  REQUIRE(at != ran.out.npos);
  const std::size_t of = ran.out.find("\"correct\":", at);
  return static_cast<std::size_t>(std::stoul(ran.out.substr(of + 10)));
}
}  // namespace

TEST_CASE("vectors: words that training never saw are found by their vectors, frozen or trained; the folder has all") {
  const Scratch folder;
  put_corpus(folder);
  const Ran frozen = run_frozen(train_with(folder, {"--vectors", folder / "vectors.txt", "--json"}));
  CAPTURE(frozen.err);
  REQUIRE(frozen.exit == 0);
  CHECK(has(frozen.err, "vectors     11 of 2 numbers from " + (folder / "vectors.txt") +
                            "; 7 of 7 different training words have one\n"));
  CHECK(has(frozen.err, "reloaded"));
  CHECK(correct(frozen) == 40);
  CHECK(get(folder / "model/vector_words.txt") == "ada\nbo\nchen\noslo\nlima\nkyoto\nzed\nquito\nyan\nbern\nsaw\n");
  CHECK(has(get(folder / "model/config.json"), "StaticVectors<12, 2>"));
  const std::string weights = get(folder / "model/model.safetensors");

  // The file of vectors is not read again.
  std::filesystem::rename(folder / "vectors.txt", folder / "elsewhere.txt");
  const Ran found = run_frozen({"predict", "-m", folder / "model", "--quiet"}, "Zed saw Bern\n");
  CHECK(found.exit == 0);
  CHECK(has(found.out, "Zed"));
  CHECK(has(found.out, "PER"));
  CHECK(has(found.out, "LOC"));

  // Without the vectors of a name, it has none that helps.
  put(folder / "few.txt", vectors.substr(0, vectors.find("zed")).replace(0, 2, "6"));
  const Ran few = run_frozen(train_with(folder, {"--vectors", folder / "few.txt", "--json", "--overwrite"}));
  REQUIRE(few.exit == 0);
  CHECK(has(few.err, "vectors     6 of 2 numbers"));
  CHECK(correct(few) < 36);

  // Trained vectors begin with the file's; the folder is of the same model.
  const Ran trained = run_trained(train_with(folder, {"--vectors", folder / "elsewhere.txt", "--json", "--overwrite"}));
  CAPTURE(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(correct(trained) >= 38);
  CHECK(get(folder / "model/model.safetensors") != weights);
  CHECK(run_frozen({"predict", "-m", folder / "model", "--quiet"}, "Zed saw Bern\n").exit == 0);
}

TEST_CASE("vectors: the same bits for any threads, from a cache, as a stream and after a stop; --init keeps them") {
  const Scratch folder;
  put_corpus(folder);
  const auto weights = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"--vectors", folder / "vectors.txt", "--overwrite", "--max-steps", "30"};
    all.insert(all.end(), more.begin(), more.end());
    const Ran ran = run_frozen(train_with(folder, all));
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    return get(folder / "model/model.safetensors");
  };
  const std::string plain = weights({});
  CHECK(weights({"--threads", "3"}) == plain);
  CHECK(weights({"--cache", folder / "cache"}) == plain);
  CHECK(weights({"--cache", folder / "cache"}) == plain);
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder / "cache"), std::filesystem::directory_iterator());
  };
  const auto before = files();
  std::string renamed = vectors;  // other words: another encoded corpus
  renamed.replace(renamed.find("lima"), 4, "rome");
  put(folder / "other.txt", renamed);
  const Ran other = run_frozen(train_with(
      folder, {"--vectors", folder / "other.txt", "--overwrite", "--cache", folder / "cache", "--max-steps", "3"}));
  REQUIRE(other.exit == 0);
  CHECK(has(other.err, "built now"));
  CHECK(files() > before);

  Around around;  // killed in mid-run, and resumed
  around.main = program_of<Frozen>;
  const std::vector<std::string> saved{"--vectors", folder / "vectors.txt", "--overwrite", "--max-steps",
                                       "30",        "--save-steps",         "10"};
  kill_after_a_state(train_with(folder, saved), folder / "model", around);
  const Ran others =
      run(resuming(train_with(folder, {"--vectors", folder / "other.txt", "--max-steps", "30"})), around);
  CHECK(others.exit == 1);
  CHECK(has(others.err, "start"));
  const Ran resumed = run(resuming(train_with(folder, saved)), around);
  CAPTURE(resumed.err);
  REQUIRE(resumed.exit == 0);
  CHECK(has(resumed.err, "resumed     "));
  CHECK(get(folder / "model/model.safetensors") == plain);

  const Ran init = run_frozen({"train", "--init", folder / "model", "--train", folder / "dev.conll", "--max-steps", "2",
                               "--output", folder / "second", "--threads", "1"});
  CAPTURE(init.err);
  REQUIRE(init.exit == 0);
  CHECK(get(folder / "second/vector_words.txt") == get(folder / "model/vector_words.txt"));
  CHECK(has(init.err, "vectors     11 of 2 numbers; "));

  const Ran stream = run_frozen(
      train_with(folder, {"--vectors", folder / "vectors.txt", "--overwrite", "--stream", "--max-steps", "20"}));
  CAPTURE(stream.err);
  CHECK(stream.exit == 0);
  CHECK(has(stream.err, "vectors     11 of 2 numbers from " + (folder / "vectors.txt") + "\n"));
}

TEST_CASE("vectors: each fault is one sentence") {
  const Scratch folder;
  put_corpus(folder);
  const auto refused = [&](const std::vector<std::string>& more, int exit = 1) {
    const Ran ran = run_frozen(train_with(folder, more));
    CHECK(ran.exit == exit);
    return ran.err;
  };
  CHECK(has(refused({}, 2), "entrain.app.95: train: neither --vectors nor --init, expected word vectors; name a file"));
  CHECK(has(refused({"--vectors", folder / "none.txt"}), "entrain.text."));
  put(folder / "wide.txt", "a 1 2 3\nb 1 2 3\n");
  CHECK(has(refused({"--vectors", folder / "wide.txt"}),
            "entrain.train.61: " + (folder / "wide.txt") +
                ": vectors of 3 numbers, expected 2, the width in the type of this program"));
  put(folder / "nan.txt", "a 1 nan\n");
  CHECK(has(refused({"--vectors", folder / "nan.txt"}), "entrain.vectors.6: "));
  CHECK(!std::filesystem::exists(folder / "model"));

  // More words than rows: counted, the first ones are taken.
  put(folder / "many.txt", "13 2\nz 0 0\ny 0 0\n" + vectors.substr(5));
  const Ran many = run_frozen(train_with(folder, {"--vectors", folder / "many.txt", "--max-steps", "3"}));
  REQUIRE(many.exit == 0);
  CHECK(has(many.err, "warning: " + (folder / "many.txt") + ": only its first 11 words get a vector"));
  CHECK(has(many.err, "vectors     11 of 2 numbers"));

  CHECK(has(run_frozen({"train", "--init", folder / "model", "--vectors", folder / "vectors.txt", "--train",
                        folder / "train.conll", "--output", folder / "b"})
                .err,
            "entrain.app.96: train: both --init and --vectors"));
  const Ran plain =
      run({"train", "--vectors", folder / "vectors.txt", "--train", folder / "train.conll", "--output", folder / "b"});
  CHECK(plain.exit == 2);
  CHECK(has(plain.err, "entrain.app.94: --vectors " + (folder / "vectors.txt") +
                           ": a model without word vectors, expected one with embed::WithVectors"));

  // A folder whose words are wrong or missing.
  const std::string words = get(folder / "model/vector_words.txt");
  const auto spoilt = [&](const std::string& text) {
    std::filesystem::remove_all(folder / "spoilt");
    std::filesystem::copy(folder / "model", folder / "spoilt");
    if (text.empty())
      std::filesystem::remove(folder / "spoilt/vector_words.txt");
    else
      put(folder / "spoilt/vector_words.txt", text);
    const Ran ran = run_frozen({"predict", "-m", folder / "spoilt", "--quiet"}, "Ada\n");
    CHECK(ran.exit == 1);
    return ran.err;
  };
  CHECK(has(spoilt({}), "vector_words.txt"));
  CHECK(has(spoilt(words + "more\n"), "vector_words.txt"));
}

TEST_CASE("vectors: the words of a folder are different and not empty") {
  const auto kept = [](const std::string& text) {
    return train::kept_words({{"vector_words.txt", "m/vector_words.txt", text}}, "vector_words.txt", "m");
  };
  CHECK(kept("a\nb c\n")->size() == 2);
  CHECK((*kept("a\nb c\n"))[1] == "b c");
  CHECK(kept("")->empty());
  CHECK_THROWS_WITH_AS(
      kept("a\n\nb\n"),
      "entrain.train.63: m/vector_words.txt:2: an empty line, expected another word in each line; copy "
      "the file again",
      entrain::Error);
  CHECK_THROWS_WITH_AS(kept("a\nb\na\n"),
                       doctest::Contains("entrain.train.63: m/vector_words.txt:3: 'a' a second time"), entrain::Error);
  CHECK_THROWS_WITH_AS(train::kept_words({}, "vector_words.txt", "m"),
                       doctest::Contains("entrain.train.62: m: no vector_words.txt"), entrain::Error);
}

TEST_CASE("vectors: train::Training takes them from its options") {
  const Scratch folder;
  put(folder / "vectors.txt", vectors);
  train::TrainingOptions<Trained> of;
  of.vectors = folder / "vectors.txt";
  of.max_steps = 3;
  const train::Tagged gold = people(6);
  train::Training<Trained> training(gold, nullptr, of);
  const entrain::Span& table = train::table_of_vectors(training.trainer().layout());
  const float* const rows = training.trainer().values() + table.offset;
  CHECK(std::vector(rows, rows + 6) == std::vector<float>{0, 0, 1, 0, 1, 0.1f});
  training.fit();
  const float* const now = training.trainer().values() + table.offset;
  CHECK(std::vector(now, now + 6) != std::vector<float>{0, 0, 1, 0, 1, 0.1f});
  training.save(folder / "model");
  of.vectors.clear();
  of.pretrained = folder / "model";  // it has words, but a start from it would leave the table empty
  CHECK_THROWS_WITH_AS(train::Training<Trained>(gold, nullptr, of),
                       doctest::Contains("entrain.train.64: word vectors: no file"), entrain::Error);
  train::TrainingOptions<Trainer> without;
  without.vectors = folder / "vectors.txt";
  CHECK_THROWS_WITH_AS(train::Training<Trainer>(gold, nullptr, without), doctest::Contains("entrain.train.65: "),
                       entrain::Error);
  text::Vocabulary two_lines;
  two_lines.add("a\nb");
  CHECK_THROWS_WITH_AS(train::words_to_keep("vector_words.txt", two_lines), doctest::Contains("entrain.train.66: "),
                       entrain::Error);
  CHECK(has(get(folder / "model/vector_words.txt"), "ada\nbo\n"));
}

}  // namespace vectors_of_tagger_test
