// tests > [app]: what a training leaves for other programs, read back by other readers than ours.
#include "entrain/app/train/records.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "entrain/score/counter.hpp"
#include "tests/app/program.hpp"

namespace records_test {
using namespace test;
using entrain::Activity, entrain::Lane, entrain::Timeline;
using nlohmann::json;
namespace app = entrain::app;
namespace train = entrain::train;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
std::vector<json> lines_of(const std::string& path) {
  std::vector<json> all;
  std::istringstream text(bytes_of(path));
  for (std::string line; std::getline(text, line);) all.push_back(json::parse(line));
  return all;
}

/// A moment of a file of TensorBoard's.
struct Moment {
  double seconds = 0;
  std::uint64_t step = 0;
  std::string version;
  std::map<std::string, float> scalars;
  std::map<std::string, std::string> plugins;  // tags, and what their plugins read
};

/// Fields of a protocol buffer: f(field, number or the eight or four bytes of one, bytes).
template <class F> void each_field(std::string_view bytes, F&& f) {
  const auto varint = [&] {
    std::uint64_t n = 0;
    for (int shift = 0;; shift += 7) {
      const auto b = static_cast<unsigned char>(bytes.at(0));
      bytes.remove_prefix(1);
      n |= std::uint64_t{b & 0x7Fu} << shift;
      if (b < 0x80) return n;
    }
  };
  while (!bytes.empty()) {
    const std::uint64_t key = varint();
    std::uint64_t number = 0;
    std::string_view inner;
    const auto fixed = [&](std::size_t n) {
      REQUIRE(bytes.size() >= n);
      std::memcpy(&number, bytes.data(), n);
      bytes.remove_prefix(n);
    };
    if (key % 8 == 0) {
      number = varint();
    } else if (key % 8 == 1) {
      fixed(8);
    } else if (key % 8 == 5) {
      fixed(4);
    } else {
      REQUIRE(key % 8 == 2);
      const std::uint64_t n = varint();
      REQUIRE(n <= bytes.size());
      inner = bytes.substr(0, n);
      bytes.remove_prefix(n);
    }
    f(key / 8, number, inner);
  }
}

std::vector<Moment> moments_of(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() != ".lock") files.push_back(entry.path());
  REQUIRE(files.size() == 1);
  CHECK(files[0].find("/events.out.tfevents.") != std::string::npos);
  const std::string bytes = bytes_of(files[0]);
  std::vector<Moment> all;
  for (std::size_t at = 0; at < bytes.size();) {
    REQUIRE(at + 12 <= bytes.size());
    std::uint64_t n = 0;
    std::memcpy(&n, bytes.data() + at, 8);
    REQUIRE(at + 12 + n + 4 <= bytes.size());
    Moment m;
    each_field(std::string_view(bytes).substr(at + 12, n),
               [&](auto field, std::uint64_t number, std::string_view inner) {
                 if (field == 1) m.seconds = std::bit_cast<double>(number);
                 if (field == 2) m.step = number;
                 if (field == 3) m.version = inner;
                 if (field != 5) return;
                 each_field(inner, [&](auto, auto, std::string_view value) {
                   std::string tag;
                   each_field(value, [&](auto which, std::uint64_t scalar, std::string_view text) {
                     if (which == 1) tag = text;
                     if (which == 2) m.scalars[tag] = std::bit_cast<float>(static_cast<std::uint32_t>(scalar));
                     if (which == 9) m.plugins[tag] = text;
                   });
                 });
               });
    all.push_back(m);
    at += 12 + n + 4;
  }
  return all;
}

app::RecordFiles logged(const std::string& path) {
  app::RecordFiles files;
  files.log_steps = path;
  return files;
}
app::RecordFiles shown(const std::string& folder) {
  app::RecordFiles files;
  files.tensorboard = folder;
  return files;
}
train::StepReport step_report(std::uint32_t step, double seconds) {
  train::StepReport r{};
  r.step = step;
  r.total_steps = 9;
  r.epoch = 1;
  r.loss = 0.5 / step;
  r.learning_rate = 1e-3;
  r.grad_norm = 2;
  r.tokens = 100 * step;
  r.seconds = seconds;
  r.spent[Activity::wait] = 0.01;
  r.spent[Activity::compute] = 0.03;
  r.spent[Activity::evaluate] = 5;
  return r;
}

}  // namespace

TEST_CASE("records: each step's numbers as a line of JSON, of a resumed training after those of the steps before") {
  const Scratch folder;
  app::Console quiet(true);
  const std::string path = folder / "steps.jsonl";
  {
    app::Records records(logged(path), false, quiet);
    Lane& lane = records.timeline().lane(Timeline::training);
    train::StepReport r = step_report(1, 0.04);
    r.spent[lane.named("my \"own\"")] = 0.002;
    records.step(r);
    r = step_report(2, 0.08);
    r.loss = std::numeric_limits<double>::quiet_NaN();
    r.grad_norm = std::numeric_limits<double>::infinity();
    r.skipped_steps = 1;
    r.loss_scale = 1024;
    r.device = {1, 0.25, 0.5, 0.125};
    records.step(r);
    records.end(true);
  }
  const auto lines = lines_of(path);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == json::parse(R"({"step":1,"total_steps":9,"epoch":1,"loss":0.5,"learning_rate":0.001,"grad_norm":2,
    "tokens":100,"seconds":0.04,"loss_scale":1,"skipped_steps":0,
    "spent":{"wait":0.01,"compute":0.03,"evaluate":5,"my \"own\"":0.002}})"));
  CHECK(lines[1].at("loss").is_null());
  CHECK(lines[1].at("grad_norm").is_null());
  CHECK(lines[1].at("loss_scale") == 1024);
  CHECK(lines[1].at("skipped_steps") == 1);
  CHECK(lines[1].at("gpu") == json::parse(R"({"busy":1,"idle":0.25,"copying":0.5,"launching":0.125})"));
  {
    app::Records records(logged(path), true, quiet);
    records.step(step_report(3, 0.1));
  }
  CHECK(lines_of(path).size() == 3);
  {  // resumes after step 1: what was logged after it comes again
    app::Records records(logged(path), true, quiet);
    records.resumed(1);
    records.step(step_report(2, 0.1));
  }
  REQUIRE(lines_of(path).size() == 2);
  CHECK(lines_of(path)[1].at("step") == 2);
  put(path, get(path) + "{\"step\":3,\"to");  // killed in the middle of a line
  {
    app::Records records(logged(path), true, quiet);
    records.resumed(3);
    records.step(step_report(4, 0.1));
  }
  REQUIRE(lines_of(path).size() == 3);
  CHECK(lines_of(path)[2].at("step") == 4);
  {
    app::Records records(logged(path), false, quiet);
    records.step(step_report(1, 0.1));
  }
  CHECK(lines_of(path).size() == 1);
}

TEST_CASE("records: TensorBoard's points have what was measured since the one before") {
  const Scratch folder;
  app::Console quiet(true);
  const std::string events = folder / "runs/one";
  app::Records records(shown(events), false, quiet);
  REQUIRE(moments_of(events).size() == 1);  // at once
  for (std::uint32_t step = 1; step <= 5; ++step) records.step(step_report(step, 0.04 * step));
  entrain::score::Counter<entrain::text::Bio> dev;
  const std::vector<std::string> gold{"B-PER", "B-PER", "B-LOC", "I-LOC", "B", "O"},
      predicted{"B-PER", "O", "B-LOC", "I-LOC", "B", "B-PER"};
  dev.sentence_of_tags(gold, predicted);
  records.evaluation(5, dev.scores());
  auto all = moments_of(events);  // and at an evaluation
  REQUIRE(all.size() == 3);
  CHECK(all[0].version == "brain.Event:2");
  CHECK(all[1].step == 3);  // 0.12 seconds after the beginning
  CHECK(all[1].seconds > 1.7e9);
  CHECK(all[1].scalars.at("train/loss") == doctest::Approx(0.5 / 3));
  CHECK(all[1].scalars.at("train/learning_rate") == doctest::Approx(1e-3));
  CHECK(all[1].scalars.at("train/grad_norm") == 2);
  CHECK(all[1].scalars.at("train/epoch") == 2);
  CHECK(all[1].scalars.at("speed/tokens_per_second") == doctest::Approx(300 / 0.12));
  CHECK(all[1].scalars.at("time/wait") == doctest::Approx(0.25));
  CHECK(all[1].scalars.at("time/compute") == doctest::Approx(0.75));
  CHECK(all[1].scalars.size() == 7);
  CHECK(all[2].step == 5);
  CHECK(all[2].scalars == std::map<std::string, float>{{"dev/precision", 0.75f},
                                                       {"dev/recall", 0.75f},
                                                       {"dev/f1", 0.75f},
                                                       {"dev_f1/LOC", 1.0f},
                                                       {"dev_f1/PER", 0.5f},
                                                       {"dev_f1/_", 1.0f}});

  train::StepReport last = step_report(9, 0.24);  // the last step, too soon for a point
  last.loss_scale = 8, last.skipped_steps = 2, last.device = {3, 1, 0, 0};
  records.step(last);
  records.end(true);
  all = moments_of(events);
  REQUIRE(all.size() == 5);
  CHECK(all[4].plugins.contains("_hparams_/session_end_info"));
  CHECK(all[3].scalars.at("speed/tokens_per_second") == doctest::Approx(600 / 0.12));
  CHECK(all[3].scalars.at("train/loss_scale") == 8);
  CHECK(all[3].scalars.at("train/skipped_steps") == 2);
  CHECK(all[3].scalars.at("time/gpu_idle") == 0.25);
}

TEST_CASE("records: of a resumed training, its first point tells nothing of the time before") {
  const Scratch folder;
  app::Console quiet(true);
  const std::string events = folder / "runs";
  app::Records records(shown(events), true, quiet);
  records.step(step_report(5, 1000));
  records.step(step_report(6, 1000.2));
  records.end(false);
  const auto all = moments_of(events);
  REQUIRE(all.size() == 3);
  CHECK(all[1].step == 6);
  CHECK(all[1].scalars.at("speed/tokens_per_second") == doctest::Approx(100 / 0.2));
  CHECK(all[1].scalars.at("time/wait") == doctest::Approx(0.01 / 0.2));
}

TEST_CASE("records: no file that no option asked for") {
  const Scratch folder;
  app::Console quiet(true);
  app::Records records({}, false, quiet);
  Lane& lane = records.timeline().lane(Timeline::training);
  lane.begin(Activity::read);
  lane.begin(Activity::parse);
  records.step(step_report(1, 1));
  records.evaluation(1, entrain::score::Scores{});
  records.end(true);
  CHECK(lane.intervals().empty());
  CHECK(lane.left_out() == 0);
}

TEST_CASE("records: a trace that cannot be written at the end is a failure of the command") {
  const Scratch folder;
  std::filesystem::create_directory(folder / "gone");
  app::Console quiet(true);
  app::RecordFiles files;
  files.trace = folder / "gone/trace.json";
  app::Records records(files, false, quiet);
  CHECK(!quiet.failed());
  std::filesystem::remove_all(folder / "gone");
  records.end(true);  // prints the error
  CHECK(quiet.failed());
}

TEST_CASE("records: bytes that were read") {
  const double before = app::bytes_read();
  CHECK(bytes_of("/proc/self/maps").size() > 100);
  CHECK(app::bytes_read() >= before + 100);
}

TEST_CASE(
    "records: a whole training leaves a trace, numbers for TensorBoard and a line a step, and says what it waited "
    "for") {
  const Scratch folder;
  const Ran ran = run({"train", "--train", in_home("train.conll"), "--dev", in_home("dev.conll"), "--epochs", "2",
                       "--output", folder / "model", "--trace", folder / "trace.json", "--tensorboard", folder / "runs",
                       "--log-steps", folder / "steps.jsonl"});
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  CHECK(has(ran.err, "\ntime        train: "));
  CHECK(has(ran.err, "\n            pack: "));
  CHECK(has(ran.err, "\nverdict     training "));
  CHECK(has(ran.err, "\ntrace       " + folder / "trace.json: "));
  const auto lines = lines_of(folder / "steps.jsonl");
  REQUIRE(lines.size() >= 2);
  const std::size_t steps = lines.size();
  double seconds = 0, computing = 0, waiting = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    CHECK(lines[i].at("step") == i + 1);
    CHECK(lines[i].at("total_steps") == steps);
    CHECK(lines[i].at("seconds") >= seconds);
    seconds = lines[i].at("seconds");
    computing += lines[i].at("spent").value("compute", 0.0);
    waiting += lines[i].at("spent").value("wait", 0.0);
  }
  CHECK(computing > 0);
  CHECK(computing + waiting <= seconds);
  const auto moments = moments_of(folder / "runs");
  CHECK(moments.size() >= 3);
  const auto& last = moments.at(moments.size() - 2);
  CHECK(last.step == steps);
  for (const char* scalar : {"dev/f1", "dev_f1/PER", "dev_f1/LOC"}) CHECK(last.scalars.contains(scalar));
  CHECK(moments.back().plugins.contains("_hparams_/session_end_info"));
  std::string told;  // before the first point
  for (const auto& [tag, content] : moments.at(1).plugins)
    if (tag == "_hparams_/session_start_info") told = content;
  for (const char* name : {"learning_rate", "token_budget", "seed", "optimizer", "precision", "total_steps", "dropout"})
    CHECK_MESSAGE(has(told, name), name);
  double traced = 0;
  std::map<std::string, int> threads;
  const json trace = json::parse(bytes_of(folder / "trace.json"));
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("name") == "thread_name") ++threads[event.at("args").at("name")];
    if (event.at("name") == "compute") traced += event.at("dur").get<double>() / 1e6;
  }
  CHECK(threads == std::map<std::string, int>{{"train 1", 1}, {"pack 1", 1}});
  CHECK(traced == doctest::Approx(computing));
}

TEST_CASE("records: --plan leaves nothing") {
  const Scratch folder;
  const Ran ran =
      run({"train", "--train", in_home("train.conll"), "--plan", "--trace", folder / "trace.json", "--tensorboard",
           folder / "runs", "--log-steps", folder / "steps.jsonl", "--output", folder / "model"});
  CHECK(ran.exit == 0);
  CHECK(std::filesystem::is_empty(folder / "."));
}

TEST_CASE("records: what cannot be written is said before the training, or does not stop it") {
  const Scratch folder;
  const auto training = [&](std::vector<std::string> options, const Around& around = {}) {
    std::vector<std::string> all{"train", "--train",  in_home("train.conll"), "--epochs",
                                 "1",     "--output", folder / "model"};
    all.insert(all.end(), options.begin(), options.end());
    return run(all, around);
  };
  put(folder / "file", "");
  check_wrong_usage(
      training({"--log-steps", folder / "x", "--trace", folder / "x"}),
      "entrain.app.38: --trace " + (folder / "x") + ": the file of --log-steps, expected a file of its own");
  check_wrong_usage(training({"--log-steps", "-"}),
                    "entrain.app.38: --log-steps -: standard output, which is for scores");
  check_refused(training({"--log-steps", folder / "no/steps.jsonl"}),
                "entrain.app.38: " +
                    folder / "no/steps.jsonl: cannot be opened: No such file or directory, expected a file to write");
  check_refused(training({"--tensorboard", folder / "file"}), "entrain.app.38: --tensorboard " + folder / "file: ");
  check_refused(training({"--trace", folder / "no/trace.json"}), "entrain.checkpoint.1: " + folder / "no/trace.json: ");
  check_refused(training({"--trace", folder / "."}), "entrain.checkpoint.2: ");
  const Ran full = training({"--log-steps", "/dev/full"});
  CAPTURE(full.err);
  CHECK(full.exit == 1);
  CHECK(times(full.err,
              "\nerror: /dev/full: cannot be written: No space left on device; training continues without it\n") == 1);
  CHECK(has(full.err, "\nsaved       " + (folder / "model") + ", the weights of step "));
}

TEST_CASE("records: a file that is not written is an error under --quiet too, and the model is saved") {
  const Scratch folder;
  const Ran steps = run({"train", "--train", in_home("train.conll"), "--epochs", "1", "--quiet", "--output",
                         folder / "model", "--log-steps", "/dev/full"});
  CHECK(steps.exit == 1);
  CHECK(steps.err == "error: /dev/full: cannot be written: No space left on device; training continues without it\n");
  CHECK(!get(folder / "model/model.safetensors").empty());
}

}  // namespace records_test
