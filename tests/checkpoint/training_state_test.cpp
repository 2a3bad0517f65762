// tests > [checkpoint]
#include "entrain/checkpoint/training_state.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/checkpoint/faulty.hpp"
#include "tests/checkpoint/memory_disk.hpp"
#include "tests/scratch.hpp"

namespace training_state_test {
using namespace entrain::checkpoint;
using test::Fault;
using test::Faulty;
using test::get;
using test::has;
using test::Image;
using test::MemoryDisk;
using test::put;
using test::Scratch;
using test::sentence;

namespace {

/// A state whose every part says v.
template <class System = Posix> void save_state(const std::string& folder, int v, System system = {}) {
  std::vector<float> values(20);
  std::iota(values.begin(), values.end(), static_cast<float>(v));
  const TrainingState state{{{"seed", std::to_string(v)}}, {{"step", std::to_string(v)}, {"note", "n"}}};
  const TensorView tensor = view_of<float>("values", {20}, values);
  save_training_state(folder, state, std::span(&tensor, 1), system);
}
template <class System = Posix> int loaded(const std::string& folder, System system = {}) {
  const StoredTrainingState stored = load_training_state(folder, system);
  const int v = stored.number<int>("step");
  REQUIRE(stored.state.same.size() == 1);
  CHECK(stored.state.same[0] == NamedText{"seed", std::to_string(v)});
  float first = 0;
  std::memcpy(&first, stored.tensors.at("values", Dtype::f32, {20}).bytes.data(), 4);
  CHECK(first == static_cast<float>(v));
  return v;
}
template <class System> int loaded_or_none(System system) {
  return has_training_state("/m", system) ? loaded("/m", system) : -1;
}

}  // namespace

TEST_CASE("training state: comes back, replaces the one before, and does not change the model next to it") {
  const Scratch folder;
  put(folder / "model.safetensors", "a model");
  CHECK(!has_training_state(folder.path()));
  save_state(folder.path(), 1);
  save_state(folder.path(), 2);
  CHECK(loaded(folder.path()) == 2);
  CHECK(get(folder / "model.safetensors") == "a model");
  CHECK(folder.names() == std::set<std::string>{"model.safetensors", "training_state.safetensors"});
  remove_training_state(folder.path());
  remove_training_state(folder.path());  // nothing there is no failure
  CHECK(folder.names() == std::set<std::string>{"model.safetensors"});
  save_state(folder / "deep/er", 3);
  CHECK(loaded(folder / "deep/er") == 3);
}

TEST_CASE("training state: numbers come back to the bit") {
  for (const double x : {0.1, 1.0 / 3, -1.0, 1e-300, 0.0, std::numeric_limits<double>::max()}) {
    const Scratch folder;
    save_training_state(folder.path(), {{}, {{"x", exact_text(x)}, {"f", exact_text(0.1f)}}}, {});
    CHECK(load_training_state(folder.path()).number<double>("x") == x);
    CHECK(load_training_state(folder.path()).number<float>("f") == 0.1f);
  }
  const Scratch folder;
  save_training_state(folder.path(), {{}, {{"n", exact_text(~std::uint64_t(0))}, {"t", "12x"}, {"e", ""}}}, {});
  const StoredTrainingState stored = load_training_state(folder.path());
  CHECK(stored.number<std::uint64_t>("n") == ~std::uint64_t(0));
  const std::string start = "entrain.checkpoint.72: " + (folder / "training_state.safetensors") + ": ";
  CHECK(sentence([&] { stored.number<int>("t"); }) ==
        start + "'at.t' is '12x', expected a whole number; the file is damaged");
  CHECK(sentence([&] { stored.number<double>("e"); }) ==
        start + "'at.e' is '', expected a number; the file is damaged");
  CHECK(sentence([&] { stored.number<std::uint32_t>("n"); }).starts_with(start));  // too large
  CHECK(sentence([&] { stored.number<int>("none"); }) ==
        start + "'at.none' is missing, expected a whole number; the file is damaged");
}

TEST_CASE("training state: none, another kind of file, a newer version") {
  const Scratch folder;
  const std::string path = folder / "training_state.safetensors";
  CHECK(sentence([&] { load_training_state(folder.path()); }) ==
        "entrain.checkpoint.70: " + path +
            ": no such file, expected the state of a training that was stopped; check --output; a training that "
            "finished, or stopped before its first state was stored, has none: start without --resume");
  const std::vector<float> one(1);
  write_safetensors(path, std::vector{view_of<float>("w", {1}, one)});
  CHECK(sentence([&] { load_training_state(folder.path()); }) ==
        "entrain.checkpoint.71: " + path +
            ": no key 'entrain.training_state', expected a training's state; this is another kind of file: start "
            "without --resume, which replaces it");
  put(path, "weights");
  CHECK(sentence([&] { load_training_state(folder.path()); }).starts_with("entrain.checkpoint.10: " + path));
  save_state(folder.path(), 1);
  std::string text = get(path);
  const std::string key = "\"entrain.training_state\":\"";
  text[text.find(key) + key.size()] = '2';
  put(path, text);
  CHECK(sentence([&] { load_training_state(folder.path()); }) ==
        "entrain.checkpoint.35: " + path +
            ": version '2' of a training's state, expected 1; resume with the entrain version that started this "
            "training");
}

TEST_CASE("training state: every flipped bit and every truncation is noticed") {
  const Scratch folder;
  const std::string path = folder / "training_state.safetensors";
  save_state(folder.path(), 1);
  const std::string whole = get(path);
  const auto loading = [](const std::string& content) {
    const MemoryDisk disk(Image{{"/m/training_state.safetensors", content}});
    return sentence([&] { load_training_state("/m", disk); });
  };
  CHECK(loading(whole).empty());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string wrong = whole;
    wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << bit % 8));
    if (has(wrong, "\"format\":\"pt\"") == false) continue;  // what others read, and we do not
    CAPTURE(bit);
    CHECK(loading(wrong).starts_with("entrain.checkpoint."));
  }
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(loading(whole.substr(0, length)).starts_with("entrain.checkpoint."));
  std::string wrong = whole;
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  put(path, wrong);
  const std::string said = sentence([&] { load_training_state(folder.path()); });
  CHECK(said.starts_with("entrain.checkpoint.73: " + path + ": its content has sha256 "));
  CHECK(has(said, "..., expected sha256 "));
  CHECK(has(said, "; the file is damaged: restore a copy, or start without --resume"));
}

TEST_CASE("training state: the power fails at every call; the old state or the new one is there") {
  const auto image_of = [](int v) {
    const MemoryDisk disk(Image{});
    save_state("/m", v, disk);
    return *disk.after_power_loss().begin();
  };
  for (const Image& image : {Image{}, image_of(1)}) {
    const int before = loaded_or_none(MemoryDisk(image));
    for (int at = 0;; ++at) {
      const MemoryDisk disk(image, at);
      const bool saved = sentence([&] { save_state("/m", 2, disk); }).empty();
      CAPTURE(at);
      for (const Image& after : disk.after_power_loss()) {
        const int found = loaded_or_none(MemoryDisk(after));
        CHECK((found == 2 || (!saved && found == before)));
      }
      if (disk.calls() <= at) break;  // it ran to the end without dying
    }
  }
}

TEST_CASE("training state: every call in turn fails; the old state or the new one loads, and no other file stays") {
  const Faulty sound(Fault::none, 0);
  const int calls = [&] {
    const Scratch folder;
    const Faulty counting(Fault::none, 0);
    save_state(folder.path(), 1, counting);
    return counting.calls();
  }();
  REQUIRE(calls > 8);
  for (const Fault fault : {Fault::no_space, Fault::io_error, Fault::interrupted, Fault::half, Fault::killed})
    for (int at = 0; at < calls; ++at) {
      const Scratch folder;
      save_state(folder.path(), 1, sound);
      const std::string said = sentence([&] { save_state(folder.path(), 2, Faulty(fault, at)); });
      CAPTURE(static_cast<int>(fault));
      CAPTURE(at);
      CAPTURE(said);
      const int v = loaded(folder.path());
      CHECK((v == 1 || v == 2));
      if (said.empty() && fault != Fault::killed) CHECK(v == 2);
      if (fault == Fault::half) CHECK(said.empty());
      save_state(folder.path(), 3, sound);  // and the next save works; what a kill left is replaced
      CHECK(loaded(folder.path()) == 3);
      CHECK(folder.names() == std::set<std::string>{"training_state.safetensors"});
    }
}

}  // namespace training_state_test
