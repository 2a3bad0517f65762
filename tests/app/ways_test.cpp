// tests > [app]
//
// Ways to training sentences: from a cache, changed at random each epoch, from standard input.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/killed.hpp"
#include "tests/app/names.hpp"
#include "tests/app/program.hpp"

namespace ways_test {
using namespace test;

namespace {

std::vector<std::string> train(const std::string& output, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"train", "--output",       output, "--threads",
                                     "1",     "--token-budget", "60",   "--overwrite"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}
Ran trained(const std::string& output, const std::vector<std::string>& more, const Around& around = {}) {
  const Ran ran = run(train(output, more), around);
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  return ran;
}
std::string weights(const std::string& output) { return get(output + "/model.safetensors"); }

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("app: --cache makes a file once, and teaches what the files teach") {
  const Scratch folder;
  put(folder / "a.conll", conll(120));
  const std::string cache = folder / "cache", m = folder / "m";
  trained(m, {"--train", folder / "a.conll", "--epochs", "3"});
  const std::string plain = weights(m);
  const std::vector<std::string> cached{"--train", folder / "a.conll", "--epochs", "3", "--cache", cache};
  const Ran first = trained(m, cached);
  CHECK(has(first.err, ": conll, kept in " + cache));
  CHECK(has(first.err, "MiB, built now"));
  CHECK(weights(m) == plain);
  const auto made = files_in(cache);
  REQUIRE(made.size() == 2);
  CHECK(made[0].starts_with("a-"));
  CHECK(made[0].ends_with(".entrain"));
  CHECK(made[1].ends_with(".survey"));
  const Ran second = trained(m, cached);
  CHECK(has(second.err, "MiB, reused"));
  CHECK(has(second.err, "120 sentences, "));
  CHECK(weights(m) == plain);
  CHECK(files_in(cache) == made);

  put(folder / "b.conll", conll(120));  // another name for the same bytes
  std::filesystem::remove(folder / "a.conll");
  std::filesystem::rename(folder / "b.conll", folder / "a.conll");
  CHECK(has(trained(m, cached).err, "reused"));
  std::string changed = conll(120);
  changed.replace(changed.find("Oslo"), 4, "Rome");
  put(folder / "a.conll", changed);
  CHECK(has(trained(m, cached).err, "built now"));
  CHECK(files_in(cache).size() == 4);
  CHECK(weights(m) != plain);
}

TEST_CASE("app: a damaged cache is reported and made again; so is a damaged survey") {
  const Scratch folder;
  put(folder / "a.conll", conll(60));
  const std::string cache = folder / "cache", m = folder / "m";
  const std::vector<std::string> cached{"--train", folder / "a.conll", "--epochs", "2", "--cache", cache};
  trained(m, cached);
  const std::string plain = weights(m);
  const auto made = files_in(cache);
  std::string bytes = get(cache + "/" + made[0]);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  put(cache + "/" + made[0], bytes);
  put(cache + "/" + made[1], "entrain survey 1\nname x\n");
  const Ran again = trained(m, cached);
  CHECK(has(again.err, "; it was rebuilt"));
  CHECK(has(again.err, "60 sentences, "));
  CHECK(weights(m) == plain);
  CHECK(!has(trained(m, cached).err, "rebuilt\n"));
  for (const std::string& junk : {std::string(), std::string("a\0b", 3)}) {
    put(cache + "/" + made[1], junk);
    CHECK(has(trained(m, cached).err, "60 sentences, "));
    CHECK(get(cache + "/" + made[1]).size() > 100);
  }
}

TEST_CASE(
    "app: a training from a cache says of its files what was said when it was made, and what one in memory says") {
  const Scratch folder;
  put(folder / "a.conll", "Ada\tI-PER\nmet\tO\n\nBo\tB-PER\nalone\n\nx\tPER\n\n");
  const std::vector<std::string> options{"--train", folder / "a.conll", "--epochs", "2", "--lenient"};
  std::vector<std::string> cached = options, streamed = options;
  cached.insert(cached.end(), {"--cache", folder / "cache"});
  streamed.push_back("--stream");
  for (const auto& one : {options, streamed, cached, cached}) {
    const Ran ran = trained(folder / "m", one);
    CAPTURE(ran.err);
    CHECK(has(ran.err, "warning: " + (folder / "a.conll") + ":5: "));
    CHECK(has(ran.err, ": 1 malformed line skipped\n"));
    CHECK(has(ran.err, "read as BIO (the nearest, but 2 lines disagree)"));
    CHECK(has(ran.err, ": 2 tags break BIO, the first is 'I-PER' at " + (folder / "a.conll") +
                           ":1; read by the rule 'conlleval' (--repair)\n"));
    CHECK(has(ran.err, ": one label only, 'PER' (2 mentions)\n"));
  }
}

TEST_CASE("app: a training from a cache is killed and resumed: the same model, byte for byte") {
  const Scratch folder;
  put(folder / "a.conll", conll(300));
  const std::vector<std::string> options{"--train", folder / "a.conll", "--epochs",      "20", "--save-steps",
                                         "2",       "--cache",          folder / "cache"};
  trained(folder / "whole", options);
  std::vector<std::string> parts = train(folder / "parts", options);
  kill_after_a_state(parts, folder / "parts");
  parts = resuming(parts);
  kill_after_a_state(parts, folder / "parts");
  const Ran rest = run(parts);
  CAPTURE(rest.err);
  CHECK(rest.exit == 0);
  same_model(folder / "whole", folder / "parts");
}

TEST_CASE("app: sentences that are changed each epoch: the same for any loader, resumed too, and other than none") {
  const Scratch folder;
  put(folder / "a.conll", conll(200));
  const std::string m = folder / "m";
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--train", folder / "a.conll", "--epochs", "3"});
    trained(m, more);
    return weights(m);
  };
  const std::string plain = with({});
  const std::vector<std::string> all{"--augment-case", "0.3", "--augment-swap", "0.3", "--augment-drop", "0.1"};
  const std::string varied = with(all);
  CHECK(varied != plain);
  for (std::size_t i = 0; i < all.size(); i += 2) CHECK(with({all[i], all[i + 1]}) != plain);
  std::vector<std::string> more = all;
  more.insert(more.end(), {"--loader-workers", "3"});
  CHECK(with(more) == varied);
  more = all;
  more.insert(more.end(), {"--seed", "5"});
  CHECK(with(more) != varied);

  std::vector<std::string> options{"--train", folder / "a.conll", "--epochs", "12", "--save-steps", "2"};
  options.insert(options.end(), all.begin(), all.end());
  trained(folder / "whole", options);
  std::vector<std::string> parts = train(folder / "parts", options);
  kill_after_a_state(parts, folder / "parts");
  parts = resuming(parts);
  CHECK(run(parts).exit == 0);
  same_model(folder / "whole", folder / "parts");
  check_wrong_usage(
      run(train(m, {"--quiet", "--train", folder / "a.conll", "--augment-case", "0.1", "--cache", folder / "c"})),
      "entrain.app.39: --cache: --augment-case, -swap or -drop, which change sentences each epoch");
}

TEST_CASE("app: standard input is learned from once, as the file would be") {
  const Scratch folder;
  const std::string bytes = conll(150);
  put(folder / "a.conll", bytes);
  const std::string m = folder / "m";
  trained(m, {"--train", folder / "a.conll", "--stream", "--epochs", "1"});
  const std::string plain = weights(m);
  const std::vector<std::string> piped{"--train", "-", "--stream", "--labels", "PER,LOC", "--scheme", "iob2"};
  std::vector<std::string> whole = piped;
  whole.insert(whole.end(), {"--max-steps", "1000"});
  const Ran ran = trained(m, whole, {.input = bytes});
  CHECK(has(ran.err, "standard input: conll, read once"));
  CHECK(weights(m) == plain);
  std::vector<std::string> some = piped;
  some.insert(some.end(), {"--max-steps", "3"});
  trained(m, some, {.input = bytes});
  CHECK(weights(m) != plain);
  CHECK(has(run(train(m, some), {.input = ""}).err, "entrain.text.4"));
  std::string long_sentence;
  for (int i = 0; i < 61; ++i) long_sentence += "a\tO\n";
  check_refused(
      run(train(m,
                [&] {
                  std::vector<std::string> quiet = whole;
                  quiet.push_back("--quiet");
                  return quiet;
                }()),
          {.input = bytes + long_sentence + "\n"}),
      "entrain.train.29: training: a sentence of 61 rows, expected at most 60, the most that the memory plan allows");
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--train", "-", "--stream"},
        {"--train", "-", "--stream", "--labels", "PER", "--max-steps", "3"},
        {"--train", "-", "--stream", "--labels", "PER", "--scheme", "iob2"},
        {"--train", "-", "--cache", folder / "c", "--labels", "PER", "--scheme", "iob2", "--max-steps", "3"},
        {"--train", folder / "a.conll", "--labels", "PER"}}) {
    std::vector<std::string> quiet = train(m, wrong);
    quiet.push_back("--quiet");
    check_wrong_usage(run(quiet), "entrain.app.40: ");
  }
}

TEST_CASE("app: what can be read once is not read twice, and is said to before anything is read") {
  const Scratch folder;
  put(folder / "a.conll", conll(3));
  const std::string m = folder / "m", pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto refused = [&](std::vector<std::string> more, const std::string& sentence) {
    more.push_back("--quiet");
    check_refused(run(train(m, more), {.input = conll(3)}), sentence, sentence.starts_with("entrain.app.40") ? 2 : 1);
  };
  const std::string once = "expected only one of them, as it can be read only once; save it in a file\n";
  refused({"--train", "-", "--dev", "-"},
          "entrain.text.39: standard input: named twice, by --train and by --dev, " + once);
  refused({"--train", folder / "a.conll", "--dev", "-", "--test", "-"},
          "entrain.text.39: standard input: named twice, by --dev and by --test, " + once);
  refused({"--train", "-", "--stream", "--labels", "PER,LOC", "--scheme", "iob2", "--max-steps", "1", "--dev", "-"},
          "entrain.text.39: standard input: named twice, by --train and by --dev, " + once);
  refused({"--train", pipe, "--test", pipe}, "entrain.text.39: " + pipe + ": named twice, by --train and by --test, ");
  const std::string again =
      ": a pipe or a device, which can be read only once, expected files, for --stream, --cache and --augment-case, "
      "-swap "
      "and -drop, which read them again; save it in a file\n";
  refused({"--train", pipe, "--stream"}, "entrain.app.40: --train " + pipe + again);
  refused({"--train", pipe, "--cache", folder / "c"}, "entrain.app.40: --train " + pipe + again);
  refused({"--train", pipe, "--augment-case", "0.5"}, "entrain.app.40: --train " + pipe + again);
  refused({"--train", "{" + (folder / "a.conll") + ",-}", "--stream"},
          "entrain.app.40: --train {" + (folder / "a.conll") + ",-}: standard input, which can be read only once, ");
  check_refused(run({"score", "--quiet", "-", "-"}, {.input = conll(3)}),
                "entrain.text.39: standard input: named twice, by GOLD and by PREDICTED, " + once);
}

}  // namespace ways_test
