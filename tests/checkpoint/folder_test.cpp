// tests > [checkpoint]
#include "entrain/checkpoint/folder.hpp"

#include <doctest/doctest.h>
#include <sys/mount.h>

#include <array>
#include <cstring>

#include "tests/checkpoint/faulty.hpp"
#include "tests/checkpoint/memory_disk.hpp"
#include "tests/sanitized.hpp"
#include "tests/scratch.hpp"

namespace folder_test {
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

/// Model number v: its config, its weights and its vocabulary all say v.
template <class System = Posix> void save_model(const std::string& folder, int v, System system = {}) {
  Config config;
  config.composition = "model " + std::to_string(v);
  config.labels = {"O", "B-PER"};
  const std::array<float, 3> w{float(v), float(v) + 0.5F, -float(v)};
  const std::string vocabulary = "vocabulary " + std::to_string(v) + "\n";
  const std::array<TensorView, 1> tensors{view_of<float>("w", {3}, w)};
  const std::array<FileToSave, 2> files{FileToSave{"model.safetensors", std::span<const TensorView>(tensors)},
                                        FileToSave{"vocab.txt", std::string_view(vocabulary)}};
  save(folder, config, files, system);
}

/// The number of the model that loads; checks that all three files say the same.
template <class System = Posix>
int loaded(const std::string& folder, System system = {}, std::vector<std::string>* notes = nullptr) {
  const Model model = load(folder, system);
  float first = 0;
  std::memcpy(&first, model.weights.at("w", Dtype::f32, {3}).bytes.data(), sizeof first);
  const int v = static_cast<int>(first);
  if (model.config.format_version > 0) CHECK(model.config.composition == "model " + std::to_string(v));
  const FolderText* const vocabulary = find_text(model.texts, "vocab.txt");
  REQUIRE(vocabulary != nullptr);
  CHECK(vocabulary->text == "vocabulary " + std::to_string(v) + "\n");
  if (notes) *notes = model.notes;
  return v;
}

/// 0: there is no model.
template <class System> int loaded_or_none(const std::string& folder, System system) {
  return sentence([&] { load(folder, system); }).starts_with("entrain.checkpoint.40") ? 0 : loaded(folder, system);
}

/// The folder of model v on a fresh disk in memory.
Image image_of(int v) {
  const MemoryDisk disk(Image{});
  save_model("/m", v, disk);
  const auto images = disk.after_power_loss();
  REQUIRE(!images.empty());
  return *images.begin();
}

/// Saves `v` on top of `image` and kills the machine at every call. Whatever is left must load as what loaded before or
/// as `v`, and as `v` once save() has returned. Returns every distinct disk that was left.
std::set<Image> lose_power_everywhere(const Image& image, int v) {
  const int before = loaded_or_none("/m", MemoryDisk(image));
  std::set<Image> left;
  for (int at = 0;; ++at) {
    const MemoryDisk disk(image, at);
    const bool saved = sentence([&] { save_model("/m", v, disk); }).empty();
    CAPTURE(at);
    CAPTURE(before);
    CAPTURE(v);
    for (const Image& after : disk.after_power_loss()) {
      int found = -1;
      const std::string said = sentence([&] { found = loaded_or_none("/m", MemoryDisk(after)); });
      CAPTURE(said);
      CHECK((found == v || (!saved && found == before)));
      left.insert(after);
    }
    if (disk.calls() <= at) break;  // it ran to the end without dying
  }
  return left;
}

}  // namespace

TEST_CASE("save, load: a model folder comes back") {
  const Scratch scratch;
  const std::string folder = scratch / "deep/er/model";
  save_model(folder, 1);
  std::vector<std::string> notes;
  CHECK(loaded(folder, Posix{}, &notes) == 1);
  CHECK(notes.empty());
  save_model(folder, 2);
  save_model(folder + "/", 3);
  CHECK(loaded(folder) == 3);
  std::set<std::string> names;
  for (const auto& e : std::filesystem::directory_iterator(folder)) names.insert(e.path().filename().string());
  CHECK(names == std::set<std::string>{"config.json", "model.safetensors", "vocab.txt"});

  const Config config = load(folder).config;
  CHECK(config.labels == std::vector<std::string>{"O", "B-PER"});
  REQUIRE(config.files.size() == 2);
  CHECK(config.files[1].sha256 == [] {
    Sha256 sum;
    sum.add(std::as_bytes(std::span(std::string_view("vocabulary 3\n"))));
    return sum.hex();
  }());
}

TEST_CASE("save: the same model gives the same bytes") {
  const Scratch a, b;
  save_model(a.path(), 5);
  save_model(b.path(), 4);
  save_model(b.path(), 5);
  for (const char* name : {"config.json", "model.safetensors", "vocab.txt"}) CHECK(get(a / name) == get(b / name));
}

TEST_CASE("save: the power fails at every call, and any part of what was not flushed is lost") {
  std::set<Image> first = lose_power_everywhere(Image{}, 1);
  std::set<Image> left = lose_power_everywhere(image_of(1), 2);
  left.merge(first);
  CHECK(left.size() > 20);
  MESSAGE("distinct disks after one power failure: " << left.size());
  // And again on every disk that the first failure left: the next save must not overwrite the only good copy.
  std::set<Image> twice;
  for (std::size_t i = 0; const Image& image : left)
    if (i++ % (SANITIZED ? 8 : 1) == 0) twice.merge(lose_power_everywhere(image, 3));
  MESSAGE("distinct disks after two: " << twice.size());
}

TEST_CASE("save: over a folder without sums, made by somebody else") {
  Image image = image_of(1);
  image["/m/config.json"] = R"({"id2label":{"0":"O","1":"B-PER"},"model_type":"bert"})";
  const std::set<Image> left = lose_power_everywhere(image, 2);
  for (std::size_t i = 0; const Image& after : left)
    if (i++ % (SANITIZED ? 8 : 1) == 0) lose_power_everywhere(after, 3);
}

TEST_CASE("save: every call in turn fails on a real disk; the old model or the new one loads") {
  const int calls = [] {
    const Scratch folder;
    save_model(folder.path(), 1);
    const Faulty counting(Fault::none, 0);
    save_model(folder.path(), 2, counting);
    return counting.calls();
  }();
  REQUIRE(calls > 30);
  const Faulty sound(Fault::none, 0);
  for (const Fault fault : {Fault::no_space, Fault::io_error, Fault::interrupted, Fault::half, Fault::killed})
    for (int at = 0; at < calls; ++at) {
      const Scratch folder;
      save_model(folder.path(), 1, sound);
      const std::string said = sentence([&] { save_model(folder.path(), 2, Faulty(fault, at)); });
      CAPTURE(static_cast<int>(fault));
      CAPTURE(at);
      CAPTURE(said);
      const int v = loaded(folder.path());
      CHECK((v == 1 || v == 2));
      if (said.empty() && fault != Fault::killed) CHECK(v == 2);
      if (fault == Fault::half) CHECK(said.empty());
      if (fault != Fault::killed)
        for (const auto& name : folder.names()) CHECK(!has(name, ".tmp"));
      save_model(folder.path(), 3, sound);  // and the next save works
      CHECK(loaded(folder.path()) == 3);
      CHECK(folder.names() == std::set<std::string>{"config.json", "model.safetensors", "vocab.txt"});
    }
}

TEST_CASE("save: a disk that is really full leaves the old model and room for the next") {
  const Scratch folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
    MESSAGE("skipped: no right to mount a small disk: " << std::strerror(errno));
    return;
  }
  save_model(folder.path(), 1);
  const std::vector<float> big(100'000);
  const TensorView tensor = view_of<float>("w", {100'000}, big);
  const std::string said = sentence([&] { save(folder.path(), Config{}, std::span(&tensor, 1)); });
  const int before = loaded(folder.path());
  save_model(folder.path(), 2);
  const int after = loaded(folder.path());
  REQUIRE(::umount(folder.path().c_str()) == 0);
  CHECK(has(said, "model.safetensors: cannot write: No space left on device; free some space or save elsewhere"));
  CHECK(before == 1);
  CHECK(after == 2);
}

TEST_CASE("save: one at a time") {
  const Scratch folder;
  OpenFolder<> other(folder.path());
  REQUIRE(other.lock());
  CHECK(sentence([&] { save_model(folder.path(), 1); }) == "entrain.checkpoint.3: " + folder.path() +
                                                               ": another process is saving into this folder, expected "
                                                               "one at a time; wait for it, or save to another folder");
}

TEST_CASE("save: a path that is a file, a config that cannot be written") {
  const Scratch folder;
  put(folder / "file", "x");
  CHECK(has(sentence([&] { save_model(folder / "file", 1); }), "cannot open the folder: Not a directory"));
  CHECK(has(sentence([&] { save_model(folder / "file/deeper", 1); }), "Not a directory"));
  save_model(folder / "m", 1);
  Config bad;
  bad.set("loss", std::numeric_limits<double>::quiet_NaN());
  CHECK(has(sentence([&] { save(folder / "m", bad, std::span<const TensorView>()); }), "entrain.checkpoint.37"));
  CHECK(loaded(folder / "m") == 1);
}

TEST_CASE("load: no config, no weights, weights of another model, a folder without sums") {
  const Scratch folder;
  CHECK(sentence([&] { load(folder / "none"); }) ==
        "entrain.checkpoint.40: " + (folder / "none/config.json") +
            ": no such file, expected a model folder; check the path; without it, the save did not finish");
  save_model(folder / "a", 1);
  save_model(folder / "b", 2);
  namespace fs = std::filesystem;
  fs::copy_file(folder / "b/model.safetensors", folder / "a/model.safetensors", fs::copy_options::overwrite_existing);
  fs::last_write_time(folder / "a/config.json", fs::file_time_type::clock::now() - std::chrono::hours(1));
  std::string said = sentence([&] { load(folder / "a"); });
  CHECK(has(said, "entrain.checkpoint.41: " + (folder / "a/model.safetensors") +
                      ": this is not the file that config.json names (sha256 "));
  CHECK(has(said, "; config.json is the older of the two), expected sha256 "));
  CHECK(has(said, "; copy both files again from the same folder"));
  fs::last_write_time(folder / "a/config.json", fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(has(sentence([&] { load(folder / "a"); }), "; model.safetensors is the older of the two)"));

  fs::remove(folder / "a/model.safetensors");
  CHECK(has(sentence([&] { load(folder / "a"); }), "model.safetensors: cannot open: No such file or directory"));

  put(folder / "b/config.json", R"({"id2label":{"0":"O","1":"B-PER"}})");
  CHECK(loaded(folder / "b") == 2);
}

TEST_CASE("load: an interrupted save is told, not hidden") {
  const Scratch folder;
  save_model(folder.path(), 1);
  std::filesystem::rename(folder / "model.safetensors", folder / "model.safetensors.prev");
  put(folder / "model.safetensors", "half of the next");
  std::vector<std::string> notes;
  CHECK(loaded(folder.path(), Posix{}, &notes) == 1);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == (folder / "model.safetensors.prev") +
                        ": read in place of model.safetensors, as a save into this folder was interrupted");
}

TEST_CASE("load: every flipped bit and every truncation of the weights is noticed") {
  const Image image = image_of(1);
  const auto loading = [&](const std::string& path, const std::string& content) {
    Image wrong = image;
    wrong[path] = content;
    return sentence([&] { load("/m", MemoryDisk(wrong)); });
  };
  const auto flipped = [](std::string text, std::size_t bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    return text;
  };
  const std::string weights = "/m/model.safetensors", config = "/m/config.json";
  const std::string& whole = image.at(weights);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit)
    CHECK(loading(weights, flipped(whole, bit)).starts_with("entrain.checkpoint.41"));
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(loading(weights, whole.substr(0, length)).starts_with("entrain.checkpoint.41"));

  // config.json has no sum of its own (people edit it), but nothing in it makes the reader fall over.
  const std::string& text = image.at(config);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) loading(config, flipped(text, bit));
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    CHECK(!loading(config, text.substr(0, length)).empty());
}

TEST_CASE("load: while another process saves again and again") {
  // The reader takes config 1; before it comes to the weights, model 2 is saved whole.
  struct Overtaken : Posix {
    std::string folder;
    int* reads;
    int open_read(const std::string& path) const {
      const int fd = Posix::open_read(path);
      if (++*reads == 1) save_model(folder, 2);
      return fd;
    }
  };
  const Scratch folder;
  save_model(folder.path(), 1);
  int reads = 0;
  Overtaken system{{}, folder.path(), &reads};
  CHECK(load(folder.path(), system).config.composition == "model 2");
}

}  // namespace folder_test
