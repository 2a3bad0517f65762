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
    keep_training(folder,
                  run({"train", "--data", folder.path(), "--output", folder / "model", "--threads", "1", "--json"}));
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
  CHECK(has(err, "entrain 0.2.0\n"));
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
  CHECK(has(epochs.err, "steps       4 optimisation steps, batches of at most 60 words, 3 per step"));
  CHECK(has(epochs.out, "{\"steps\":4,"));
}

TEST_CASE("app: --algorithms is of programs for a GPU") {
  const Scratch folder;
  const Ran ran = run({"train", "--data", home(), "--output", folder / "m", "--algorithms", folder / "a", "--quiet"});
  CHECK(ran.exit == 2);
  CHECK(ran.err ==
        "error: entrain.app.25: --algorithms: this program computes on the CPU, expected a program for an NVIDIA "
        "GPU; omit the option\n");
  CHECK(folder.names().empty());
}

TEST_CASE("app: evaluate scores a saved model") {
  const Ran table = run({"evaluate", "-m", in_home("model"), "--data", home()});
  CHECK(table.exit == 0);
  CHECK(table.out.starts_with("strict (BIO)"));
  CHECK(times(table.out, "  micro ") == 1);  // no prediction breaks its scheme: one table
  CHECK(has(table.out, "\nconlleval: the same scores\n"));
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

TEST_CASE("app: evaluate takes a file as the other commands do") {
  const std::string test = in_home("test.conll"), dev = in_home("dev.conll");
  const std::vector<std::string> quiet{"evaluate", "-m", in_home("model"), "--json", "--quiet"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), quiet.begin(), quiet.end());
    const Ran ran = run(more);
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    return ran.out;
  };
  CHECK(with({test}) == with({"--test", test}));
  CHECK(with({dev}) == with({"--test", dev}));
  CHECK(with({dev}) != with({in_home("train.conll")}));
  CHECK(with({dev, "--data", home()}) == with({dev}));  // a file that is named goes before those of a folder
  const Scratch folder;
  put(folder / "c.ini", "test = \"" + test + "\"\nsplit = train\n");  // and before those of a file of options
  CHECK(with({dev, "--config", folder / "c.ini"}) == with({dev}));
}

TEST_CASE("app: help and version are written, or it is an error") {
  if (::access("/dev/full", W_OK) != 0) return;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"--help"}, std::vector<std::string>{"train", "--help"},
        std::vector<std::string>{"--version"}, std::vector<std::string>{"train", "--dump-config"}}) {
    const Ran ran = run(command, {.output = "/dev/full"});
    CAPTURE(ran.err);
    CHECK(ran.exit == 1);
    CHECK(ran.err.starts_with("error: entrain.app.1: standard output: cannot write: "));
  }
}

TEST_CASE("app: aliases of other tools, and numbers as people write them") {
  const auto dump = [](std::vector<std::string> more) {
    more.insert(more.begin(), "train");
    more.emplace_back("--dump-config");
    return run(more).out;
  };
  CHECK(has(dump({"--num-workers", "2"}), "\nloader-workers = \"2\"\n"));
  CHECK(has(dump({"--warmup-ratio", "0.1"}), "\nwarmup-ratio = \"0.1\"\n"));
  CHECK(has(dump({"--epochs", "010"}), "\nepochs = \"10\"\n"));  // not octal
  CHECK(has(dump({"--seed", "9223372036854775807"}), "\nseed = \"9223372036854775807\"\n"));
}

TEST_CASE("app: a share of all steps warms up, and config.json says how many those are") {
  const Scratch folder;
  const auto train = [&](const char* option, const char* value, const std::string& output) {
    const Ran ran = run({"train", "--quiet", "--data", home(), "--max-steps", "25", "--output", output, option, value});
    CAPTURE(ran.err);
    CHECK(ran.exit == 0);
    return get(output + "/model.safetensors");
  };
  const std::string by_share = train("--warmup-ratio", "0.25", folder / "a");  // 6.25: a part of a step is one
  CHECK(by_share == train("--warmup-steps", "7", folder / "b"));
  CHECK(by_share != train("--warmup-steps", "6", folder / "c"));
  CHECK(has(get(folder / "a/config.json"), "\"warmup_steps\": 7"));
}

TEST_CASE("app: an option that AdamW does not read is refused, from the command line and from a file") {
  const Scratch folder;
  const auto refused_by_training = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"train", "--data", home(), "--max-steps", "1", "--output", folder / "m"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run(arguments);
    CAPTURE(ran.err);
    CHECK(ran.exit == 2);
    CHECK(has(ran.err, "entrain.app.85: --momentum: the optimizer adamw, which does not read it, expected an"));
    CHECK(!std::filesystem::exists(folder / "m"));
  };
  refused_by_training({"--momentum", "0.5"});
  refused_by_training({"--momentum", "0.9"});  // also the default value has no effect
  put(folder / "c.ini", "momentum = 0.5\n");
  refused_by_training({"--config", folder / "c.ini"});
  put(folder / "c.ini", "momentum = 0.9\n");  // as --dump-config writes it
  CHECK(run({"train", "--data", home(), "--max-steps", "1", "--output", folder / "m", "--config", folder / "c.ini"})
            .exit == 0);
}

TEST_CASE("app: --split names a file, or says that there is none") {
  const Ran none = run({"evaluate", "-m", in_home("model"), "--dev", in_home("dev.conll")});
  check_wrong_usage(none,
                    "entrain.app.11: --split test: this file is not given, expected --test FILE; or another --split");
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
    CHECK(has(of.out, "--config FILE"));
    CHECK(has(of.out, "Exit codes: 0: done. 1: "));
  }
  const Ran version = run({"--version"});
  CHECK(version.exit == 0);
  CHECK(has(version.out, "entrain 0.2.0\nTagger<MultiHash<16, HashedWords<2, 200, 50, 50, 50>, 2>, "));
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
  refused({"trian"}, "error: no command 'trian' (did you mean train?); see --help\n");
  refused({"train", "--epoch", "3"}, "error: no option --epoch (did you mean --epochs?); see --help\n");
  refused({"train", "--epoch=3"}, "error: no option --epoch (did you mean --epochs?); see --help\n");
  refused({"train", "--Learning_Rate", "1"}, "no option --Learning_Rate (did you mean --learning-rate?);");
  refused({"train", "-epochs", "3"}, "no option -epochs (did you mean --epochs?);");
  refused({"train", "--warmup", "3"}, "no option --warmup (did you mean --warmup-");
  refused({"train", "--zzzzzz"}, "error: no option --zzzzzz; see --help\n");
  refused({"train", "--precison", "bf16"}, "no option --precison (did you mean --precision?);");
  refused({"predict", "--epochs", "3"}, "error: --epochs is an option of train, not of predict; see --help\n");
  refused({"--epochs", "3", "train"}, "error: --epochs goes after the command train; see --help\n");
  refused({"train", "a.conll"},
          "error: 'a.conll' was not expected: train takes files by name, as in --train a.conll; see --help\n");
  refused({"score", "a", "b", "c"}, "error: files: At Most 2 required but received 3; see --help\n");
  refused({"evaluate", "a", "b"}, "error: 'b': evaluate takes one file, or a pattern of files in quotes; see --help\n");
  refused({"evaluate", "a.conll", "--test", "b"},
          "error: 'a.conll': a file, and --test names one too: use one of them;");
  refused({"evaluate", "a.conll", "--split", "dev"}, "a file, and --split names one too: use one of them;");
  // what a type decides
  const std::string built = ": this is a build option: ./dev train ";
  refused({"train", "--bf16"}, "error: --bf16" + built + "--precision bf16; PRECISION of entrain_add_trainer, or ");
  refused({"train", "--fp16"}, "error: --fp16" + built + "--device cuda --precision fp16; ");
  refused({"train", "--precision=bf16"}, "error: --precision" + built + "--precision bf16; ");
  refused({"train", "--head", "crf"}, "error: --head" + built + "--head crf; HEAD of entrain_add_trainer, or ");
  refused({"train", "--optimizer=sgd"},
          "error: --optimizer" + built + "--optimizer sgd; OPTIMIZER of entrain_add_trainer, or ");
  refused({"train", "--schedule", "linear"}, "or optim::Scheduled; usual is constant, linear or cosine by --lr-");
  refused({"train", "--gradient-checkpointing"}, built + "--recompute; ");
  // numbers, all of them and in their range
  const std::string up_to = "' is not a whole number from 0 to 9223372036854775807; see --help\n";
  for (const char* const seed : {"18446744073709551616", "9223372036854775808", "0x10", "1e3", "7 ", ""})
    refused({"train", "--seed", seed}, "error: --seed: '" + std::string(seed) + up_to);
  refused({"train", "--max-steps", "4294967296"}, "'4294967296' is not a whole number from 0 to 4294967295;");
  refused({"check", "a", "--rare", "-1"}, "error: --rare: '-1' is below 0;");
  refused({"train", "--dropout", "1"}, "error: --dropout: '1' is not a number from 0 to 0.99; see --help\n");
  refused({"train", "--adam-beta1", "1"}, "error: --adam-beta1: '1' is not a number from 0 to 0.9999999;");
  refused({"train", "--learning-rate", "0"}, "'0' is not a number from 1e-12 to 1000;");
  refused({"train", "--warmup-ratio", "1.5"}, "error: --warmup-ratio: '1.5' is not a number from 0 to 1;");
  refused({"train", "--warmup-ratio", "0.1", "--warmup-steps", "3"},
          "--warmup-ratio: and --warmup-steps: use one of them");
  // names that are empty
  refused({"predict", "-m", ""}, "error: --model: an empty value; see --help\n");
  refused({"predict", ""}, "error: files: an empty value;");
  refused({"evaluate", "-m", "", "a"}, "error: --model: an empty value;");
  for (const char* const option :
       {"--train", "--dev", "--test", "--output", "--init", "--pretrained", "--cache", "--trace", "--log-steps"})
    refused({"train", option, ""}, "error: " + std::string(option) + ": an empty value; see --help\n");
  refused({"convert", "a", "-o", ""}, "error: --output: an empty value;");
  refused({"train", "--config", ""}, "error: --config: an empty value;");
  refused({"train", "--lr-scheduler-type", "lineer"},
          "error: --lr-scheduler-type: 'lineer' is not one of constant, linear, cosine (did you mean linear?);");
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
  refused({"train", "--token-column", "1.5"}, "'1.5' is neither a number from 0, last, auto nor a column's name");
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
