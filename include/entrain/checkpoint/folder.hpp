// text > batch > embed > encode > head > optim > [checkpoint]
//
// A model folder: config.json, and the files that it lists by their SHA-256: model.safetensors, vocab.txt, ...
//
// config.json is the switch. Renaming one file is atomic, renaming two is not, so a save has these steps:
//
//   1. every new file is written and flushed under a temporary name       if the disk is full: nothing has changed
//   2. FILE      ->  FILE.prev, for each file of the old model            the old config finds its files by their sums
//   3. FILE.tmp  ->  FILE, for each file of the new model                 still the old model
//   4. config.json.tmp  ->  config.json                                   from here on the new one
//   5. each FILE.prev is removed
//
// The folder is flushed between the steps. If the save is stopped at any point, the current config.json finds all its
// files, under their names or with .prev added (folder_files.hpp). A config without sums, from Hugging Face, cannot
// distinguish a file of the old model from one of the new: for it an empty FILE.prev means that the old model has no
// FILE.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/json.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/checkpoint/sha256.hpp"
#include "entrain/checkpoint/weights.hpp"

namespace entrain::checkpoint {

/// A file to be saved in a folder: tensors in the safetensors format, or text written unchanged.
struct FileToSave {
  std::string name;
  std::variant<std::span<const TensorView>, std::string_view> content;
};

namespace detail {

/// Makes the folder and its parents, each durable in its parent.
template <class System> void make_folders(const std::string& path, System system) {
  if (look(path, system).exists) return;
  if (const std::string parent = folder_of(path); parent != path) make_folders(parent, system);
  if (system.make_folder(path) != 0 && errno != EEXIST) write_failed(path, "create the folder", errno);
  OpenFolder<System>(folder_of(path), system).sync();
}

/// Gives the file of the old model its name back if a stopped save has left it under .prev. old: the current config.
/// Returns whether it changed anything.
template <class System> bool restore(const std::string& path, const std::string& name, const Config& old,
                                     OpenFolder<System>& door, System system) {
  const std::string aside = previous(path);
  const FileInfo stands = look(aside, system);
  if (!stands.exists) return false;
  const std::string* const sum = old.sha256(name);
  if (!old.files.empty() && !sum) return false;  // neither file belongs to the old model
  const auto failed = [&](const std::string& of) {
    if (errno != ENOENT) write_failed(of, "restore the old file", errno);
  };
  if (!sum && stands.bytes == 0) {  // the old model has no such file
    if (system.remove(path) != 0) failed(path);
    door.sync();
    if (system.remove(aside) != 0) failed(aside);
    return true;
  }
  if (sum)
    if (const auto bytes = read_file_if_there(path, any_length, system); bytes && sum_of(*bytes) == *sum) return false;
  if (system.rename(aside, path) != 0) failed(path);
  return true;
}

/// The names of the files that a save of `files` over `old` changes: those of `files`, then those of the old model.
inline std::vector<std::string> names_changed(std::span<const FileToSave> files, const std::optional<Config>& old) {
  std::vector<std::string> names;
  for (const FileToSave& file : files) names.push_back(file.name);
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  if (!old) return names;
  for (const FileSum& file : old->files) add(file.name);
  // A tokenizer.json of the old model would have priority over the vocab.txt of the new one.
  const bool tokenizer = std::any_of(tokenizer_names.begin(), tokenizer_names.end(), [&](std::string_view name) {
    return std::any_of(files.begin(), files.end(), [&](const FileToSave& file) { return file.name == name; });
  });
  if (tokenizer)
    for (const std::string_view name : tokenizer_names) add(name);
  return names;
}

}  // namespace detail

// ---------------------------------------------------------------- saving

/// Saves a model so that the folder holds the old model or the new one at every moment, also if the program is killed,
/// the disk is full, or the power fails. Fills config.files. Files of the old model that the new one does not have are
/// removed. A failure before step 4 restores the old files.
///
/// throws    entrain.checkpoint.1 ... 4 (atomic_file.hpp), 14, 18, 19 (safetensors.hpp), 37 (json.hpp)
template <class System = Posix>
void save(const std::string& folder, Config config, std::span<const FileToSave> files, System system = {}) {
  detail::make_folders(folder, system);
  OpenFolder<System> door(folder, system);
  const Temporary kind = door.lock() ? Temporary::replace : Temporary::unique;

  std::optional<Config> old;
  try {
    old = FolderFiles<System>(folder, system).config();
  } catch (const Error&) {  // an unreadable config has no model to protect
  }
  const std::vector<std::string> names = detail::names_changed(files, old);
  // A stopped save may have left the old files under .prev: restore them before step 2 overwrites the only good copy.
  bool restored = false;
  if (old)
    for (const std::string& name : names)
      restored |= detail::restore(detail::in(folder, name), name, *old, door, system);
  if (restored) door.sync();

  config.files.clear();
  std::vector<AtomicFile<System>> fresh;
  fresh.reserve(files.size());
  for (const auto& file : files) {
    AtomicFile<System>& out = fresh.emplace_back(detail::in(folder, file.name), system, kind);
    Sha256 sum;
    const auto sink = [&](std::span<const std::byte> piece) {
      sum.add(piece);
      out.write(piece);
    };
    if (const auto* tensors = std::get_if<std::span<const TensorView>>(&file.content))
      stream_safetensors(*tensors, out.path(), sink);
    else
      sink(std::as_bytes(std::span(std::get<std::string_view>(file.content))));
    out.finish();
    config.files.push_back({file.name, sum.hex()});
  }
  AtomicFile<System> switch_over(detail::in(folder, config_name), system, kind);
  switch_over.write(dump_config(config, switch_over.path()));
  switch_over.finish();

  std::vector<std::string> aside, absent, placed;
  try {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string path = detail::in(folder, names[i]);
      if (detail::look(path, system).exists) {
        if (system.rename(path, detail::previous(path)) != 0)
          detail::write_failed(path, "move the old file aside", errno);
        aside.push_back(path);
      } else if (i < files.size() && old && old->files.empty()) {
        absent.push_back(path);
        AtomicFile<System> mark(detail::previous(path), system, kind);
        mark.finish();
        mark.publish();
      }
    }
    door.sync();
    for (auto& out : fresh) {
      placed.push_back(out.path());
      out.publish();
    }
    door.sync();
    switch_over.publish();
  } catch (...) {
    for (const auto& path : placed) system.remove(path);
    for (const auto& path : aside)
      system.rename(detail::previous(path), path);  // if this fails too, readers find .prev
    if (!absent.empty()) {
      try {
        door.sync();  // remove the new file before the mark; otherwise it would count as the old model's
        for (const auto& path : absent) system.remove(detail::previous(path));
      } catch (const Error&) {  // then the marks remain
      }
    }
    throw;
  }
  door.sync();
  for (const std::string& name : names) {
    const std::string path = detail::in(folder, name);
    for (const std::string& left : {detail::previous(path), path + ".tmp"})  // also those of a stopped save
      if (detail::look(left, system).exists) system.remove(left);
  }
}

/// The usual model: weights and config.
template <class System = Posix>
void save(const std::string& folder, Config config, std::span<const TensorView> weights, System system = {}) {
  const FileToSave model{std::string(weights_name), weights};
  save(folder, std::move(config), std::span(&model, 1), system);
}

// ---------------------------------------------------------------- loading

struct Model {
  Config config;
  Weights weights;
  std::vector<FolderText> texts;   // config.json and the other files that are not weights
  std::vector<std::string> notes;  // notes for the user, a line each
};

/// Loads a model with every file that config.json lists. If another process saves at the same time, the load is
/// repeated.
///
/// throws    entrain.checkpoint.40: no config.json        .41, 42: see FolderFiles::read       .43: see at_one_moment
///           and those of json.hpp and safetensors.hpp
template <class System = Posix> Model load(const std::string& folder, System system = {}) {
  return at_one_moment(
      folder,
      [](FolderFiles<System>& files) {
        if (!files.config())
          throw Error("entrain.checkpoint.40", files.path_of(config_name), "no such file", "a model folder",
                      "check the path; without it, the save did not finish");
        const Config& config = *files.config();
        std::vector<Safetensors> weights;
        const auto read = [&](const std::string& name) { weights.emplace_back(files.read(name), files.path_of(name)); };
        read(std::string(weights_name));
        std::vector<FolderText> texts;
        if (!files.lists_sums()) texts = tokenizer_texts(files);
        if (files.lists_sums())
          texts.push_back({std::string(config_name), files.path_of(config_name), files.config_text()});
        for (const FileSum& file : config.files) {
          if (file.name == weights_name) continue;
          if (file.name.ends_with(".safetensors"))
            read(file.name);
          else
            texts.push_back(files.read_text(file.name));
        }
        return Model{config, Weights(files.path_of(weights_name), std::move(weights)), std::move(texts), files.notes()};
      },
      system);
}

}  // namespace entrain::checkpoint
