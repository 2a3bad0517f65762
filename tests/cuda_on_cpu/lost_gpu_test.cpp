// tests > [cuda_on_cpu]
//
// A GPU that is lost in the middle of training: one error, the last state stays, and --resume continues from it to the
// model of a training that lost none.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/train/train.hpp"
#include "entrain/cuda.cuh"
#include "tests/app/program.hpp"

namespace lost_gpu_test {
namespace {

using namespace entrain;
using Tagger = model::Tagger<embed::MultiHash<8, batch::HashedWords<2, 60, 20, 20, 20>, 2>,
                             encode::MaxoutWindow<8, 1, 1, 2>, head::Softmax<8, text::Bio>>;
using Waiting = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;
using LostTrainer = train::Trainer<Tagger, precision::Fp32, device::Cuda<>, Waiting>;

/// DATA OUTPUT [--resume]: what app/ner.hpp does for `train`, without the command line.
int train_lost(int argc, const char* const* argv) {
  try {
    app::Settings settings;
    settings.files.train = std::string(argv[1]) + "/train.conll";
    settings.files.dev = std::string(argv[1]) + "/dev.conll";
    settings.output = argv[2];
    settings.resume = settings.quiet = argc > 3;
    settings.training.learning_rate = 0.01;
    settings.training.token_budget = 24;
    settings.training.epochs = 2;
    settings.training.save_steps = 2;
    settings.training.calibrate = false;
    return app::train_model<LostTrainer>(settings);
  } catch (const Error& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
  }
  return 1;
}

}  // namespace
}  // namespace lost_gpu_test

int test::program(int argc, const char* const* argv) { return lost_gpu_test::train_lost(argc, argv); }

namespace lost_gpu_test {

TEST_CASE("a GPU that is lost in the middle of training: one error, the last state, and --resume to the same model") {
  const ::test::Scratch folder;
  ::test::put(folder / "train.conll", ::test::sentences(12));
  ::test::put(folder / "dev.conll", ::test::sentences(3, 12));
  const ::test::Ran whole = ::test::run({folder.path(), folder / "whole"});
  CAPTURE(whole.err);
  REQUIRE(whole.exit == 0);

  std::size_t& lost_after = harness::Machine::now().lost_after;
  const std::string parts = folder / "parts";
  int stops = 0, stops_with_a_state = 0;
  for (lost_after = 60; stops < 40; lost_after += 60, ++stops) {
    const std::string before = ::test::get(parts + "/training_state.safetensors");
    std::vector<std::string> command{folder.path(), parts};
    if (!before.empty()) command.push_back("--resume");
    const ::test::Ran ran = ::test::run(command);
    CAPTURE(ran.err);
    const bool kept = !::test::get(parts + "/training_state.safetensors").empty();
    if (ran.exit == 0) {
      CHECK(ran.err.empty());
      CHECK(!kept);
      break;
    }
    CHECK(ran.exit == 1);
    CHECK(::test::times(ran.err, "error: ") == 1);
    CHECK(::test::has(ran.err, "error: entrain.device.2: "));
    CHECK(::test::has(ran.err, "cudaErrorLaunchFailure"));
    CHECK(::test::has(ran.err, "; " + parts + " has the state of step ") == kept);
    CHECK(::test::has(ran.err, ". This command resumes the training:\n") == kept);
    CHECK((before.empty() || kept));
    stops_with_a_state += kept;
  }
  lost_after = ~std::size_t(0);
  CHECK(stops_with_a_state >= 2);
  CHECK(stops < 40);
  for (const char* file : {"/config.json", "/model.safetensors"}) {
    CHECK(!::test::get(parts + file).empty());
    CHECK(::test::get((folder / "whole") + file) == ::test::get(parts + file));
  }
}

}  // namespace lost_gpu_test
