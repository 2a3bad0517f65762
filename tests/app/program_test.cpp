// tests > [app]: the one place where the program is compiled; what its commands do when all is well.
#include "tests/app/program.hpp"

#include "entrain/app/ner.hpp"
#include "entrain/cpu.hpp"

namespace tiny {
using namespace entrain;
using Model = model::Tagger<embed::MultiHash<16, batch::HashedWords<2, 200, 50, 50, 50>, 2>,
                            encode::MaxoutWindow<16, 1, 1, 2>, head::Crf<16, text::Bioes>>;
using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::Averaged<optim::AdamW>>;
}  // namespace tiny

namespace test {

int program(int argc, const char* const* argv) {
  entrain::train::Options options;
  options.learning_rate = 0.01;
  options.token_budget = 64;
  options.epochs = 6;
  options.knobs.ema_decay = 0.9;
  return entrain::app::ner<tiny::Trainer>(argc, argv, options);
}

const std::string& home() {
  static const Scratch folder;
  static const bool made = [] {
    put(folder / "train.conll", sentences(60));
    put(folder / "dev.conll", sentences(20, 60));
    put(folder / "test.conll", sentences(20, 80));
    const Ran ran = run({"train", "--data", folder.path(), "--output", folder / "model", "--threads", "1", "--json"});
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    put(folder / "train.out", ran.out);
    put(folder / "train.err", ran.err);
    return true;
  }();
  REQUIRE(made);
  return folder.path();
}

}  // namespace test

namespace program_test {
using namespace test;

TEST_CASE("app: train says what it does on standard error, and prints scores on standard output") {
  const std::string out = get(in_home("train.out")), err = get(in_home("train.err"));
  CHECK(out.starts_with("{\"steps\":"));
  CHECK(times(out, "\n") == 1);
  CHECK(has(out, "\"test\":{"));
  CHECK(has(out, "\"dictionary\":{"));
  CHECK(has(err, "entrain 0.1.0\n"));
  CHECK(has(err, "labels      2 types in BIOES: PER, LOC\n"));
  CHECK(has(err, "60 sentences, 360 words, 180 entities"));
  CHECK(has(err, " optimisation steps, batches of at most 64 words"));
  CHECK(has(err, "memory "));
  CHECK(has(err, "reloaded    " + in_home("model") + ": the same tags on all 120 words of " + in_home("test.conll")));
  CHECK(!has(err, "warning"));
  CHECK(!has(err, "\x1b["));
  // the plan's steps come before the first of them
  CHECK(err.find("optimisation steps") < err.find("dev F1"));
}

TEST_CASE("app: --quiet says nothing, and the data stays") {
  const Scratch folder;
  const Ran ran = run({"train", "--data", home(), "--output", folder / "m", "--max-steps", "2", "--quiet"});
  CHECK(ran.exit == 0);
  CHECK(ran.err.empty());
  CHECK(has(ran.out, ", the saved model\n"));
  CHECK(has(ran.out, ", a dictionary of the training entities (longest match)\n"));
  CHECK(has(ran.out, "\nstrict F1 "));
}

TEST_CASE("app: --max-steps stops there, epochs are counted in steps, and both are said before step one") {
  const Scratch folder;
  const Ran steps = run({"train", "--data", home(), "--output", folder / "m", "--max-steps", "7", "--json"});
  CHECK(has(steps.err, "steps       7 optimisation steps"));
  CHECK(has(steps.out, "{\"steps\":7,"));
  const Ran epochs = run({"train", "--data", home(), "--output", folder / "m", "--epochs", "2", "--json",
                          "--token-budget", "60", "--gradient-accumulation-steps", "3"});
  CHECK(has(epochs.err, "steps       4 optimisation steps, batches of at most 60 words, 3 a step"));
  CHECK(has(epochs.out, "{\"steps\":4,"));
}

TEST_CASE("app: --algorithms is of programs for a GPU") {
  const Scratch folder;
  const Ran ran = run({"train", "--data", home(), "--output", folder / "m", "--algorithms", folder / "a", "--quiet"});
  CHECK(ran.exit == 1);
  CHECK(ran.err ==
        "error: entrain.app.25: --algorithms: this program computes on the processor, expected a program for an NVIDIA "
        "GPU; leave the option out\n");
  CHECK(folder.names().empty());
}

TEST_CASE("app: evaluate scores a saved model") {
  const Ran table = run({"evaluate", "-m", in_home("model"), "--data", home()});
  CHECK(table.exit == 0);
  CHECK(table.out.starts_with("strict (BIO)"));
  CHECK(times(table.out, "  micro ") == 1);  // no prediction breaks its scheme: one table
  CHECK(has(table.out, "\nconlleval: the same figures\n"));
  CHECK(has(table.err, "test        " + in_home("test.conll")));
  const Ran json = run({"evaluate", "-m", in_home("model"), "--data", home(), "--split", "dev", "--json", "--quiet"});
  CHECK(json.exit == 0);
  CHECK(json.err.empty());
  CHECK(json.out.starts_with("{\""));
  CHECK(has(json.out, "\"strict\""));
  // the same scores as those that training printed
  const Ran test = run({"evaluate", "-m", in_home("model"), "--test", in_home("test.conll"), "--json", "--quiet"});
  CHECK(has(get(in_home("train.out")), "\"test\":" + test.out.substr(0, test.out.size() - 1)));
}

TEST_CASE("app: --split names a file, or says that there is none") {
  const Ran none = run({"evaluate", "-m", in_home("model"), "--dev", in_home("dev.conll")});
  check_refused(none, "entrain.app.11: --split test: no such file was named, expected --test FILE; or another --split");
}

TEST_CASE("app: help and version on standard output, exit code 0") {
  const Ran help = run({"--help"});
  CHECK(help.exit == 0);
  CHECK(help.err.empty());
  for (const char* command : {"train", "evaluate", "predict", "check", "convert", "score"}) {
    CHECK(has(help.out, command));
    const Ran of = run({command, "--help"});
    CHECK(of.exit == 0);
    CHECK(of.err.empty());
    CHECK(has(of.out, "--dump-config"));
  }
  const Ran version = run({"--version"});
  CHECK(version.exit == 0);
  CHECK(has(version.out, "entrain 0.1.0\nTagger<MultiHash<16, HashedWords<2, 200, 50, 50, 50>, 2>, "));
}

TEST_CASE("app: wrong usage is exit code 2 and one line") {
  const auto refused = [](std::vector<std::string> arguments, std::string_view sentence) {
    const Ran ran = run(arguments);
    CAPTURE(ran.err);
    CHECK(ran.exit == 2);
    CHECK(ran.out.empty());
    CHECK(times(ran.err, "\n") == 1);
    CHECK(ran.err.starts_with("error: "));
    CHECK(ran.err.ends_with("; see --help\n"));
    CHECK(has(ran.err, sentence));
  };
  refused({"trian"}, "trian");
  refused({"train", "--epoch", "3"}, "--epoch");
  refused({"train", "--epochs", "three"}, "--epochs");
  refused({"train", "--epochs", "0"}, "--epochs");
  refused({"train", "--epochs", "-1"}, "--epochs");
  refused({"train", "--max-steps", "-1"}, "--max-steps: '-1' is below 0");
  refused({"train", "--seed", "-7"}, "--seed: '-7' is below 0");
  refused({"train", "--dropout", "1"}, "--dropout");
  for (const char* const option : {"--max-grad-norm", "--weight-decay", "--adam-epsilon", "--momentum", "--ema-decay"})
    for (const char* const value : {"-1", "nan", "inf", "1e12", "much"}) refused({"train", option, value}, option);
  refused({"train", "--lr-scheduler-type", "step"}, "--lr-scheduler-type");
  refused({"train", "--corpus", "conll2003"}, "--corpus");
  refused({"train", "--scheme", "bioe"}, "--scheme");
  refused({"train", "--splitter", "words"}, "word splitter 'words'");
  refused({"train", "--token-column", "first"}, "'first' is neither a number from 0 nor last nor auto");
  refused({"check", "a.conll", "--fix", "b", "--fix-rules", "spelling"}, "--fix-rules");
  refused({"check"}, "files");
  refused({"score", "gold.conll"}, "files");
  refused({"predict", "--format", "xml"}, "--format");
  refused({"evaluate", "--split", "all"}, "--split");
  const Ran nothing = run({});
  CHECK(nothing.exit == 2);
  CHECK(nothing.out.empty());
  CHECK(has(nothing.err, "Subcommands:"));
}

}  // namespace program_test
