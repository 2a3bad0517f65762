// tests > [app]: files that are no corpus, disks that are full, streams that are closed. One message, exit code 1,
// nothing lost.
#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "entrain/app/train/session.hpp"
#include "entrain/head/crf.hpp"
#include "entrain/head/softmax.hpp"
#include "entrain/head/with_dropout.hpp"
#include "tests/app/program.hpp"

namespace files_test {
using namespace test;

namespace {

struct BadFile {
  std::string path, sentence;
};

/// A path that is not there, a folder, an empty file, a binary file: with what is said of each.
std::vector<BadFile> bad_files(const Scratch& folder) {
  put(folder / "empty", "");
  put(folder / "binary", std::string_view("Ada\tB-PER\n\x7F"
                                          "ELF\0\1",
                                          16));
  put(folder / "utf16", std::string_view("\xFF\xFE"
                                         "A\0d\0",
                                         6));
  return {{folder / "none", "entrain.text.1: " + (folder / "none") + ": no such file; check the path"},
          {folder.path(), "entrain.text.2: " + folder.path() + ": a directory, expected "},
          {folder / "empty", "entrain.text.4: " + (folder / "empty") + ": empty, expected text"},
          {folder / "binary",
           "entrain.text.5: " + (folder / "binary") + ": a NUL byte at offset 14, expected text in UTF-8; "},
          {folder / "utf16", "entrain.text.5: " + (folder / "utf16") +
                                 ": a NUL byte at offset 3, UTF-16 text, expected text in UTF-8; "}};
}

std::string bytes_of_model(const std::string& folder) {
  return get(folder + "/config.json") + "|" + get(folder + "/model.safetensors");
}

}  // namespace

TEST_CASE("files: missing, empty, a directory, binary: one message for every command") {
  const Scratch folder;
  const std::string good = in_home("test.conll"), model = in_home("model");
  for (const auto& [path, sentence] : bad_files(folder)) {
    CAPTURE(path);
    const std::string out = folder / "out";
    for (const std::vector<std::string>& line :
         {std::vector<std::string>{"train", "--quiet", "--train", path, "--output", out},
          {"train", "--quiet", "--train", good, "--dev", path, "--output", out},
          {"train", "--quiet", "--train", good, "--test", path, "--output", out},
          {"evaluate", "--quiet", "-m", model, "--test", path},
          {"predict", "--quiet", "-m", model, path, "-o", out},
          {"predict", "--quiet", "-m", model, "--input-format", "conll", path, "-o", out},
          {"check", "--quiet", path},
          {"check", "--quiet", good, path, "--fix", out},
          {"convert", "--quiet", path, "-o", out},
          {"convert", "--quiet", "--input-format", "jsonl", path, "-o", out},
          {"score", "--quiet", good, path},
          {"score", "--quiet", path, good}}) {
      CAPTURE(line[0]);
      check_refused(run(line), sentence);
    }
    struct stat unused;
    CHECK(::stat(out.c_str(), &unused) != 0);  // nothing was written, not even a folder
  }
}

TEST_CASE("files: empty standard input, and a NUL far inside of it") {
  check_refused(run({"predict", "-m", in_home("model"), "--quiet"}),
                "entrain.text.4: standard input: empty, expected text");
  std::string text;
  while (text.size() < 200000) text += "nothing to see here\n";
  text[150000] = '\0';
  const Ran ran = run({"predict", "-m", in_home("model"), "--quiet"}, {.input = text});
  CHECK(ran.exit == 1);
  CHECK(has(ran.err, "error: entrain.text.5: standard input: a NUL byte at offset 150000, expected text in UTF-8; "));
}

TEST_CASE("files: a malformed line is named, and skipped only when asked to") {
  const Scratch folder;
  put(folder / "bad.conll", sentences(3) + "Ada\nBo\tO\n\n");
  const Ran strict = run({"train", "--quiet", "--train", folder / "bad.conll", "--output", folder / "m"});
  check_refused(strict, "entrain.app.4: " + (folder / "bad.conll") + ":22: ");
  CHECK(has(strict.err, "the only such line, see `check`: correct them, or skip them with --lenient"));
  const Ran lenient =
      run({"train", "--lenient", "--max-steps", "1", "--train", folder / "bad.conll", "--output", folder / "m"});
  CHECK(lenient.exit == 0);
  CHECK(has(lenient.err, "warning: " + (folder / "bad.conll") + ": 1 malformed line skipped"));
}

TEST_CASE("files: no training file, an unknown corpus, ENTRAIN_DATA not set") {
  const Scratch folder;
  const auto train = [&](std::vector<std::string> more, const char* data) {
    more.insert(more.begin(), "train");
    more.insert(more.end(), {"--output", folder / "m"});  // not model/, in which ./dev train may have put one
    return run(more, {.environment = {{"ENTRAIN_DATA", data}}});
  };
  check_wrong_usage(train({"--dev", in_home("dev.conll")}, ""),
                    "entrain.app.8: --train: no training file, expected one");
  check_refused(train({"--corpus", "wnut17"}, ""),
                "entrain.app.3: --corpus wnut17: ENTRAIN_DATA is not set, expected the folder that holds wnut17/");
  const Ran empty = train({"--corpus", "wnut17", "--quiet"}, folder.path().c_str());
  check_refused(empty, "entrain.text.1: " + (folder / "wnut17/train.conll") + ": no such file");
}

TEST_CASE("files: a folder that cannot be saved into is refused before training") {
  const Scratch folder;
  put(folder / "file", "not a folder");
  const Ran ran = run({"train", "--data", home(), "--quiet", "--output", folder / "file"});
  check_refused(ran, "entrain.app.10: " + (folder / "file") + ": cannot save into it: ");
  CHECK(get(folder / "file") == "not a folder");
  const Ran below = run({"train", "--data", home(), "--quiet", "--output", folder / "file/m"});
  check_refused(below, "entrain.app.10: " + (folder / "file/m") + ": cannot save into it: Not a directory");
}

TEST_CASE("files: a model that grows beyond the disk: one message, the old model unharmed, nothing left over") {
  const Scratch folder;
  const std::vector<std::string> line{"train",       "--data", home(),     "--quiet",
                                      "--max-steps", "4",      "--output", folder / "m"};
  REQUIRE(run(line).exit == 0);
  const std::string before = bytes_of_model(folder / "m");
  auto again = line;
  again.insert(again.end(), {"--seed", "5"});
  const Ran full = run(again, {.longest_file = 4096});
  check_refused(full, "entrain.checkpoint.1: " + (folder / "m/model.safetensors") + ": cannot write: File too large");
  CHECK(bytes_of_model(folder / "m") == before);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "m"))
    names.insert(entry.path().filename().string());
  CHECK(names == std::set<std::string>{"config.json", "model.safetensors"});
  CHECK(run({"evaluate", "-m", folder / "m", "--data", home(), "--quiet"}).exit == 0);
}

TEST_CASE("files: a full disk while training: a warning at each best, an error at the end") {
  const Scratch folder;
  const Ran full = run({"train", "--data", home(), "--max-steps", "6", "--eval-steps", "2", "--output", folder / "m"},
                       {.longest_file = 4096});
  CHECK(full.exit == 1);
  CHECK(full.out.empty());
  CHECK(has(full.err, "warning: entrain.checkpoint.1: "));
  CHECK(has(full.err, "; training continues"));
  CHECK(times(full.err, "error: ") == 1);
  CHECK(folder.names().empty());
}

TEST_CASE("files: a disk of 16 KiB") {
  const Scratch folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=16k") != 0) {
    MESSAGE("skipped: this needs the right to mount a file system");
    return;
  }
  const Ran ran = run({"train", "--data", home(), "--quiet", "--max-steps", "2", "--output", folder / "m"});
  CHECK(ran.exit == 1);
  CHECK(has(ran.err, "No space left on device; free some space or save elsewhere; the previous file is unchanged"));
  CHECK(folder.names().empty());
  ::umount(folder.path().c_str());
}

TEST_CASE("files: data that cannot be written is an error, and an existing file stays") {
  const Scratch folder;
  const std::string model = in_home("model"), test = in_home("test.conll");
  check_refused(run({"predict", "--quiet", "-m", model, test, "-o", "/dev/full"}),
                "entrain.app.1: /dev/full: cannot write: No space left on device; ");
  check_refused(run({"convert", "--quiet", test, "-o", "/dev/full"}),
                "entrain.app.1: /dev/full: cannot write: No space left on device; free some space or save elsewhere\n");
  check_refused(
      run({"convert", "--quiet", test}, {.output = "/dev/full"}),
      "entrain.app.1: standard output: cannot write: No space left on device; free some space or save elsewhere\n");
  for (const std::vector<std::string>& line : {std::vector<std::string>{"score", test, test},
                                               {"check", test},
                                               {"predict", "-m", model, test},
                                               {"convert", test},
                                               {"evaluate", "-m", model, "--test", test}}) {
    auto quiet = line;
    quiet.push_back("--quiet");
    check_refused(run(quiet, {.closed_output = true}),
                  "entrain.app.1: standard output: cannot write: Bad file descriptor");
  }
  put(folder / "out", "what stood there");
  const Ran ran = run({"predict", "--quiet", "-m", model, "-o", folder / "out", test}, {.longest_file = 512});
  check_refused(ran, "entrain.checkpoint.1: " + (folder / "out") + ": cannot write: File too large");
  CHECK(get(folder / "out") == "what stood there");
  CHECK(folder.names() == std::set<std::string>{"out"});
  check_refused(run({"predict", "--quiet", "-m", model, test, folder / "none", "-o", folder / "out"}),
                "entrain.text.1");
  CHECK(get(folder / "out") == "what stood there");
  check_refused(run({"predict", "--quiet", "-m", model, test, "-o", folder.path()}),
                "entrain.checkpoint.2: " + folder.path() + ": a folder");
}

TEST_CASE("files: a model folder that is none") {
  const Scratch folder;
  const std::string test = in_home("test.conll");
  check_refused(run({"predict", "-m", folder / "none", test}), "entrain.checkpoint.40");
  check_refused(run({"evaluate", "-m", folder.path(), "--test", test}), "entrain.checkpoint.40");
  std::filesystem::copy(in_home("model"), folder / "m");
  const std::string config = get(folder / "m/config.json"), weights = get(folder / "m/model.safetensors");
  put(folder / "m/config.json", "{");
  check_refused(run({"predict", "-m", folder / "m", test}), "entrain.checkpoint.");
  put(folder / "m/config.json", config);
  put(folder / "m/model.safetensors", weights.substr(0, weights.size() / 2));
  check_refused(run({"predict", "-m", folder / "m", test}), "entrain.checkpoint.");
}

TEST_CASE("files: a model of another composition: the first difference is named") {
  const Scratch folder;
  std::filesystem::copy(in_home("model"), folder / "m");
  std::string config = get(folder / "m/config.json");
  const auto at = config.find("Window<16, 1>");
  REQUIRE(at != config.npos);
  config.replace(at, 13, "Window<16, 2>");
  put(folder / "m/config.json", config);
  const std::string sentence = "entrain.train.11: " + (folder / "m/config.json") +
                               ": a model with Window<16, 2>, expected Window<16, 1> in this program; run the program "
                               "that trained it (after ./dev train: ./dev predict -m " +
                               (folder / "m") + " or ./dev evaluate), or train again";
  const std::string test = in_home("test.conll");
  check_refused(run({"predict", "--quiet", "-m", folder / "m", test}), sentence);
  check_refused(run({"evaluate", "--quiet", "-m", folder / "m", "--test", test}), sentence);
  check_refused(run({"train", "--quiet", "--init", folder / "m", "--data", home(), "--output", folder / "n"}),
                sentence);
}

TEST_CASE("files: what a training starts from: one folder, and one that the model can use") {
  const Scratch folder;
  check_wrong_usage(
      run({"train", "--quiet", "--pretrained", "minilm", "--data", home(), "--output", folder / "n"}),
      "entrain.app.16: --pretrained minilm: a model that reads words, expected one with a pretrained encoder; "
      "omit the option, or run a program like examples/04_finetune_ner");
  const std::string bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/bert";
  const std::string command = "./dev train --pretrained " + bert;
  check_wrong_usage(run({"train", "--quiet", "--pretrained", bert, "--data", home(), "--output", folder / "n"}),
                    "entrain.app.16: --pretrained " + bert +
                        ": a model that reads words, expected one with a pretrained encoder; omit the option, or "
                        "build the program of this folder: " +
                        command);
  const std::string none =
      "entrain.train.10: " + bert +
      "/config.json: no composition, expected a model saved by entrain; name another folder, or create one: " + command;
  check_refused(run({"predict", "--quiet", "-m", bert, in_home("test.conll")}), none);
  check_refused(run({"evaluate", "--quiet", "-m", bert, "--test", in_home("test.conll")}), none);
  check_refused(run({"train", "--quiet", "--init", bert, "--data", home(), "--output", folder / "n"}), none);
  entrain::app::Settings s;
  CHECK(entrain::app::start_folder(s, true).empty());
  CHECK_THROWS_WITH_AS(entrain::app::start_folder(s, false),
                       doctest::Contains("entrain.app.17: train: neither --pretrained nor --init"), entrain::Error);
  s.pretrained = "a";
  CHECK(entrain::app::start_folder(s, false) == "a");
  s.init = "b";
  CHECK_THROWS_WITH_AS(entrain::app::start_folder(s, false),
                       doctest::Contains("entrain.app.18: train: both --init and --pretrained"), entrain::Error);
  s.pretrained.clear();
  CHECK(entrain::app::start_folder(s, false) == "b");
}

/// A schedule that reads neither the warm-up nor the form of the usual one.
struct Constant {
  static constexpr std::string_view name = "constant";
  double rate;
  explicit Constant(const entrain::optim::Schedule& from) : rate(from.learning_rate) {}
  double operator()(std::uint32_t) const { return rate; }
};

TEST_CASE("train: an option that the optimizer or the schedule of this program does not read is refused") {
  namespace optim = entrain::optim;
  const auto refusal = [&]<class O>(const char* option, O) {
    entrain::app::Settings settings;
    settings.optimizer_options = {option};
    return test::sentence([&] {
      entrain::app::refuse_unread(settings, O::name, optim::ScheduleOf<O>::type::name, optim::options_read<O>());
    });
  };
  using Averaged = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
  using Own = optim::Scheduled<optim::Sgd, Constant>;
  const std::vector<std::string> adam = {"--adam-beta1", "--adam-beta2", "--adam-epsilon"};
  for (const std::string& option : adam) {
    CHECK(refusal(option.c_str(), optim::Adam()) == "");
    CHECK(refusal(option.c_str(), Averaged()) == "");
    CHECK(refusal(option.c_str(), optim::Sgd()) ==
          "entrain.app.85: " + option +
              ": the optimizer sgd, which does not read it, expected an optimizer that reads "
              "it; build the program with one, or omit the option");
  }
  CHECK(refusal("--momentum", optim::Sgd()) == "");
  CHECK(test::has(refusal("--momentum", optim::AdamW()), "entrain.app.85: --momentum: the optimizer adamw, which"));
  CHECK(test::has(refusal("--momentum", Averaged()), "entrain.app.85: --momentum"));
  for (const char* const option : {"--weight-decay", "--lr-scheduler-type", "--warmup-steps", "--warmup-ratio"}) {
    CHECK(refusal(option, optim::Sgd()) == "");
    CHECK(refusal(option, optim::AdamW()) == "");
  }
  CHECK(refusal("--ema-decay", Averaged()) == "");
  CHECK(refusal("--ema-decay", optim::AdamW()) ==
        "entrain.app.85: --ema-decay: the optimizer adamw, which keeps no average, expected optim::Averaged; build the "
        "program with it, or omit the option");
  CHECK(refusal("--weight-decay", Own()) == "");
  for (const char* const option : {"--lr-scheduler-type", "--warmup-steps", "--warmup-ratio"})
    CHECK(test::has(refusal(option, Own()),
                    "entrain.app.85: " + std::string(option) + ": the schedule constant, which does not read it"));
}

TEST_CASE("train: an option that the loss of this program does not read is refused") {
  entrain::app::Settings settings;
  using entrain::loss::CrossEntropy, entrain::loss::Smoothed, entrain::loss::Focal;
  const auto refusal = [&]<class Loss>(Loss) {
    using Head = entrain::head::WithDropout<entrain::head::Softmax<4, entrain::text::Bio, Loss>>;
    return test::sentence(
        [&] { entrain::app::refuse_unread(settings, Head::loss_name, entrain::head::loss_reads_of<Head>); });
  };
  const auto of_crf = [&] {
    using Head = entrain::head::Crf<4, entrain::text::Bio>;
    return test::sentence(
        [&] { entrain::app::refuse_unread(settings, Head::loss_name, entrain::head::loss_reads_of<Head>); });
  };
  CHECK((refusal(CrossEntropy()) + refusal(Smoothed()) + refusal(Focal()) + of_crf()).empty());
  settings.training.label_smoothing_factor = 0.2;
  CHECK(refusal(Smoothed()).empty());
  CHECK(refusal(Focal()) ==
        "entrain.app.21: --label-smoothing-factor: a head with the loss focal, expected smoothed; build the program "
        "with that loss, or omit the option");
  settings = {};
  settings.training.focal_gamma = 3;
  CHECK(refusal(Focal()).empty());
  CHECK(test::has(refusal(CrossEntropy()), "entrain.app.21: --focal-gamma: a head with the loss cross_entropy"));
  settings = {};
  settings.class_weights = "balanced";
  CHECK(refusal(CrossEntropy()).empty());
  CHECK(of_crf() ==
        "entrain.app.22: --class-weights: a head with the loss crf, which has no class weights, expected a loss "
        "with class weights, such as that of head::Softmax; build the program with one, or omit the option");
}

}  // namespace files_test
