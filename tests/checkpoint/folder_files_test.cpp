// tests > [checkpoint]
//
// Folders of many files: weights and a tokenizer's. At every moment of a save a reader gets one model, whole.
#include "entrain/checkpoint/folder_files.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "entrain/checkpoint/folder.hpp"
#include "tests/checkpoint/faulty.hpp"
#include "tests/checkpoint/memory_disk.hpp"
#include "tests/sanitized.hpp"
#include "tests/scratch.hpp"

namespace folder_files_test {
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

/// Models of odd numbers have other files than those of even ones; all but one say which model they are of.
std::vector<std::string> texts_of(int v) {
  if (v % 2 == 1) return {"tokenizer.json", "vocab.txt", "tokenizer_config.json"};
  return {"vocab.txt", "special_tokens_map.json", "always the same"};
}
std::string text_of(const std::string& name, int v) {
  return name == "always the same" ? "the same" : name + " of " + std::to_string(v);
}

template <class System = Posix> void save_model(const std::string& folder, int v, System system = {}) {
  Config config;
  config.composition = "model " + std::to_string(v);
  const std::array<float, 1> w{static_cast<float>(v)};
  const std::array<TensorView, 1> tensors{view_of<float>("w", {1}, w)}, chain{view_of<float>("crf", {1}, w)};
  std::vector<FileToSave> files{{std::string(weights_name), std::span<const TensorView>(tensors)}};
  if (v % 2 == 1) files.push_back({"crf.safetensors", std::span<const TensorView>(chain)});
  std::vector<std::string> texts;
  for (const std::string& name : texts_of(v)) texts.push_back(text_of(name, v));
  for (std::size_t i = 0; i < texts.size(); ++i) files.push_back({texts_of(v)[i], std::string_view(texts[i])});
  save(folder, config, files, system);
}

int number_in(const TensorView& tensor) {
  float v = 0;
  std::memcpy(&v, tensor.bytes.data(), sizeof v);
  return static_cast<int>(v);
}

/// The number of the model in the folder, read in both ways in which programs read one; checks that it is whole.
template <class System = Posix> int read_model(const std::string& folder, System system = {}) {
  struct Read {
    int v;
    std::vector<FolderText> texts;
  };
  const Read read = at_one_moment(
      folder,
      [](FolderFiles<System>& files) {  // as a folder of Hugging Face is read
        const Safetensors weights(files.read(std::string(weights_name)), "w");
        return Read{number_in(*weights.find("w")), tokenizer_texts(files)};
      },
      system);
  std::set<std::string> wanted, found;
  for (const std::string& name : texts_of(read.v))
    if (name != "always the same") wanted.insert(name);
  for (const FolderText& text : read.texts) {
    if (text.name == config_name) continue;
    found.insert(text.name);
    CHECK(text.text == text_of(text.name, read.v));
  }
  CHECK(found == wanted);
  return read.v;
}
template <class System = Posix> int load_model(const std::string& folder, System system = {}) {
  const Model model = load(folder, system);
  const int v = number_in(*model.weights.find("w"));
  CHECK(model.config.composition == "model " + std::to_string(v));
  CHECK((model.weights.find("crf") != nullptr) == (v % 2 == 1));
  CHECK(model.texts.size() == 1 + texts_of(v).size());
  for (const FolderText& text : model.texts)
    if (text.name != config_name) CHECK(text.text == text_of(text.name, v));
  return v;
}

/// The folder of a model in memory; without sums, as Hugging Face's.
Image image_of(int v, bool sums) {
  const MemoryDisk disk(Image{});
  save_model("/m", v, disk);
  Image image = disk.now();
  if (!sums) image["/m/config.json"] = R"({"model_type":"bert"})";
  return image;
}
bool lists_sums(const Image& image) { return has(image.at("/m/config.json"), "composition"); }

/// What a save of `v` makes of the folder, one call of the system after the other.
std::vector<Image> moments(const Image& image, int v) {
  std::vector<Image> all{image};
  for (int at = 0;; ++at) {
    const MemoryDisk disk(image, at);
    sentence([&] { save_model("/m", v, disk); });
    if (Image now = disk.now(); now != all.back()) all.push_back(std::move(now));
    if (disk.calls() <= at) return all;
  }
}

/// A disk that is another one from call number `at` on; what is open stays open.
class Overtaken {
 public:
  Overtaken(const Image& before, const Image& after, int at)
      : disks_{MemoryDisk(before), MemoryDisk(after)}, count_(std::make_shared<int>(0)), at_(at) {}
  int calls() const { return *count_; }

  int open_read(const std::string& path) const {
    const std::size_t which = next();
    return opened(disks_[which].open_read(path), which);
  }
  int open_folder(const std::string& path) const {
    const std::size_t which = next();
    return opened(disks_[which].open_folder(path), which);
  }
  ssize_t read(int fd, void* to, std::size_t n) const { return next(), of(fd).read(fd % second, to, n); }
  int close(int fd) const { return next(), of(fd).close(fd % second); }
  int lock_shared(int fd) const { return next(), of(fd).lock_shared(fd % second); }
  int info(const std::string& path, FileInfo& out) const { return disks_[next()].info(path, out); }
  int info_of(int fd, FileInfo& out) const { return next(), of(fd).info_of(fd % second, out); }

 private:
  static constexpr int second = 1000;
  std::size_t next() const { return (*count_)++ < at_ ? 0 : 1; }
  const MemoryDisk& of(int fd) const { return disks_[fd < second ? 0 : 1]; }
  static int opened(int fd, std::size_t which) { return fd < 0 || which == 0 ? fd : fd + second; }

  std::array<MemoryDisk, 2> disks_;
  std::shared_ptr<int> count_;
  int at_;
};

}  // namespace

TEST_CASE("folder with a tokenizer: a save that is killed at any call leaves the old model or the new one, whole") {
  std::size_t count = 0;
  for (const bool sums : {true, false})
    for (const int before : {1, 2})
      for (const int after : {3, 4})
        for (const Image& image : moments(image_of(before, sums), after)) {
          if (SANITIZED && count++ % 8 != 0) continue;
          CAPTURE(sums);
          CAPTURE(before);
          CAPTURE(after);
          const int v = read_model("/m", MemoryDisk(image));
          CHECK(v == (has(image.at("/m/config.json"), "model " + std::to_string(after)) ? after : before));
          if (lists_sums(image)) CHECK(load_model("/m", MemoryDisk(image)) == v);
          for (const int next : {5, 6}) {  // and the next save, killed too
            const MemoryDisk disk(image);
            save_model("/m", next, disk);
            CHECK(load_model("/m", disk) == next);
            for (const std::string& name : texts_of(next)) CHECK(!disk.now().contains("/m/" + name + ".prev"));
          }
          for (const Image& twice : moments(image, 5)) {
            const int w = read_model("/m", MemoryDisk(twice));
            CHECK((w == v || w == 5));
          }
        }
}

TEST_CASE("folder with a tokenizer: a reader during a save gets the old model or the new one, whole") {
  const auto seen = [](Image image) {  // what no reader looks at makes no difference
    std::erase_if(image, [](const auto& file) { return file.first.ends_with(".tmp"); });
    return image;
  };
  std::size_t reads = 0;
  for (const bool sums : {true, false})
    for (const auto& [before, after] : {std::pair{1, 3}, {1, 4}, {2, 3}}) {
      std::vector<Image> states;
      for (const Image& image : moments(image_of(before, sums), after))
        if (Image now = seen(image); states.empty() || states.back() != now) states.push_back(std::move(now));
      REQUIRE(states.size() > 8);
      for (std::size_t i = 0; i < states.size(); ++i)
        for (std::size_t j = i + 1; j < states.size(); j += SANITIZED ? 4 : 1)
          for (int at = 0, calls = 1; at < calls; ++at, ++reads) {
            const Overtaken disk(states[i], states[j], at);
            int v = 0;
            const std::string said = sentence([&] { v = read_model("/m", disk); });
            CAPTURE(said);
            CAPTURE(i);
            CAPTURE(j);
            CAPTURE(at);
            CHECK((v == before || v == after));
            calls = disk.calls();
          }
    }
  MESSAGE("reads during saves: " << reads);
}

TEST_CASE("folder with a tokenizer: real saves and reads at the same time") {
  const Scratch folder;
  const Faulty quick(Fault::none, 0);  // flushes nothing
  save_model(folder.path(), 1, quick);
  std::atomic<bool> over = false;
  std::string refused;
  std::thread writer([&] {
    refused = sentence([&] {
      for (int v = 2; v < 150; ++v) save_model(folder.path(), v, quick);
    });
    over = true;
  });
  int last = 0, reads = 0;
  std::string said;
  while (!over && said.empty()) {
    said = sentence([&] {
      const int v = ++reads % 2 == 1 ? load_model(folder.path()) : read_model(folder.path());
      CHECK(v >= last);
      last = v;
    });
  }
  writer.join();
  CHECK(said.empty());
  CHECK(refused.empty());
  CHECK(load_model(folder.path()) == 149);
}

TEST_CASE("folder with a tokenizer: every file is found under .prev, and what is known of the save is said") {
  const Scratch folder;
  save_model(folder.path(), 1);
  for (const char* name : {"model.safetensors", "tokenizer.json", "tokenizer_config.json"})
    std::filesystem::rename(folder / name, folder / (std::string(name) + ".prev"));
  const auto note = [&](const std::string& name, const std::string& why) {
    return (folder / (name + ".prev")) + ": read in place of " + name + ", as " + why;
  };
  const std::string interrupted = "a save into this folder was interrupted",
                    running = "another process was saving into this folder: this is the model before that save";
  const std::vector<std::string> names{"model.safetensors", "tokenizer.json", "tokenizer_config.json"};
  for (const std::string& why : {interrupted, running}) {
    std::optional<OpenFolder<>> saver;
    if (why == running) {
      saver.emplace(folder.path());
      REQUIRE(saver->lock());
    }
    CHECK(load_model(folder.path()) == 1);
    const auto notes = load(folder.path()).notes;
    REQUIRE(notes.size() == names.size());
    for (std::size_t i = 0; i < names.size(); ++i) CHECK(notes[i] == note(names[i], why));
  }
  // One step later of a save: the new tokenizer is with the old config. It is not taken.
  put(folder / "tokenizer.json", "tokenizer.json of 3");
  CHECK(load_model(folder.path()) == 1);
}

TEST_CASE("folder with a tokenizer: a save waits for a reader that looks whether one is under way") {
  struct Busy : Posix {  // a reader has the lock at the first calls
    int* left;
    int lock(int fd) const {
      if (*left == 0) return Posix::lock(fd);
      return --*left, errno = EWOULDBLOCK, -1;
    }
  };
  const Scratch folder;
  int left = 5;
  save_model(folder.path(), 1, Busy{{}, &left});
  CHECK(left == 0);
  CHECK(load_model(folder.path()) == 1);
}

TEST_CASE("folder with a tokenizer: a file that is changed, gone or unlisted is refused, each as the weights are") {
  for (const std::string& name : {std::string("tokenizer.json"), std::string("vocab.txt"),
                                  std::string("tokenizer_config.json"), std::string("crf.safetensors")}) {
    CAPTURE(name);
    const Scratch folder;
    save_model(folder.path(), 1);
    const std::string path = folder / name, old = get(path), changed = old + " ";
    put(path, changed);
    std::filesystem::last_write_time(folder / "config.json",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const auto sum = [](std::string_view text) {
      Sha256 of;
      of.add(std::as_bytes(std::span(text)));
      return of.hex();
    };
    const std::string refusal = "entrain.checkpoint.41: " + path +
                                ": this is not the file that config.json names (sha256 " + sum(changed).substr(0, 12) +
                                "...; config.json is the older of the two), expected sha256 " + sum(old).substr(0, 12) +
                                "...; copy both files again from the same folder; if it was changed on purpose, set "
                                "its sum in entrain.files of config.json to " +
                                sum(changed);
    CHECK(sentence([&] { load(folder.path()); }) == refusal);
    if (name != "crf.safetensors")
      CHECK(sentence([&] { at_one_moment(folder.path(), [](auto& files) { return tokenizer_texts(files); }); }) ==
            refusal);
    std::string config = get(folder / "config.json");  // what the message says to do
    config.replace(config.find(sum(old)), 64, sum(changed));
    put(folder / "config.json", config);
    CHECK(sentence([&] { load(folder.path()); }) != refusal);
    std::filesystem::remove(path);
    CHECK(sentence([&] { load(folder.path()); }) ==
          "entrain.checkpoint.5: " + path +
              ": cannot open: No such file or directory; config.json lists it: copy the folder again");
  }
  const Scratch folder;
  save_model(folder.path(), 1);
  std::string config = get(folder / "config.json");
  const std::size_t from = config.find("\"model.safetensors\""), to = config.find('\n', from) + 1;
  put(folder / "config.json", config.erase(from, to - from));
  CHECK(sentence([&] { load(folder.path()); }) ==
        "entrain.checkpoint.42: " + (folder / "config.json") +
            ": entrain.files does not list model.safetensors, expected the SHA-256 of every file of the model; copy "
            "the folder again, or add the output of `sha256sum " +
            (folder / "model.safetensors") + "`");
}

TEST_CASE("folder with a tokenizer: files that config.json does not list are no part of the model") {
  const Scratch folder;
  save_model(folder.path(), 1);
  put(folder / "added_tokens.json", "of somebody else");
  CHECK(read_model(folder.path()) == 1);
  CHECK(load_model(folder.path()) == 1);
  for (const char* name : {"../outside", "a/b", "config.json", ""}) {
    std::string config = get(folder / "config.json");
    const std::size_t at = config.find("\"vocab.txt\"");
    put(folder / "other.json", config.replace(at, 11, "\"" + std::string(name) + "\""));
    CHECK(has(sentence([&] { parse_config(get(folder / "other.json"), "config.json"); }),
              "entrain.checkpoint.32: config.json: entrain.files lists '" + std::string(name) +
                  "', expected names of files in this folder"));
  }
}

}  // namespace folder_files_test
