// text > batch > embed > encode > head > optim > [checkpoint]
//
// A model folder: config.json, and the files that it names by their SHA-256: model.safetensors, vocab.txt, ...
//
// config.json is the switch. Renaming one file is atomic, renaming two is not, so a save goes like this:
//
//   1. every new file is written and flushed under a temporary name       disk full, say: nothing has happened
//   2. model.safetensors       ->  model.safetensors.prev                 the old config finds its weights by their sum
//   3. model.safetensors.tmp   ->  model.safetensors                      still the old model
//   4. config.json.tmp         ->  config.json                            from here on the new one
//   5. model.safetensors.prev is removed
//
// with the folder flushed between the steps. Stopped anywhere, the config in place finds every file that belongs to it,
// under its name or with .prev behind it. The next save or load tidies nothing away that is still needed.
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/checkpoint/json.hpp"
#include "entrain/checkpoint/read_file.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/checkpoint/sha256.hpp"
#include "entrain/checkpoint/weights.hpp"

namespace entrain::checkpoint {

inline constexpr std::string_view config_name = "config.json", weights_name = "model.safetensors";

/// A file of a folder to be saved: tensors in the safetensors format, or text as it stands.
struct FileToSave {
  std::string name;
  std::variant<std::span<const TensorView>, std::string_view> content;
};

namespace detail {

inline constexpr std::int64_t longest_config = 64 << 20;

inline std::string in(const std::string& folder, std::string_view name) { return folder + "/" + std::string(name); }
inline std::string previous(const std::string& path) { return path + ".prev"; }

inline std::string sum_of(const Bytes& bytes) {
  Sha256 sum;
  sum.add(bytes.span());
  return sum.hex();
}

template <class System> FileInfo look(const std::string& path, System system) {
  FileInfo info;
  if (system.info(path, info) != 0)
    throw Error("entrain.checkpoint.5", path, "cannot look at it: " + system_words(errno), {}, "check the path");
  return info;
}

/// Makes the folder and those above it, each durable in its parent.
template <class System> void make_folders(const std::string& path, System system) {
  if (look(path, system).exists) return;
  if (const std::string parent = folder_of(path); parent != path) make_folders(parent, system);
  if (system.make_folder(path) != 0 && errno != EEXIST) write_failed(path, "make the folder", errno);
  OpenFolder<System>(folder_of(path), system).sync();
}

template <class System> std::optional<Config> config_of(const std::string& folder, System system) {
  const std::string path = in(folder, config_name);
  if (!look(path, system).exists) return std::nullopt;
  return parse_config(read_file(path, longest_config, system).text(), path);
}

/// Is it `path.prev`, not `path`, that belongs to the config in place? After a save that was stopped midway, yes. A
/// config that names no sum (made by somebody else) cannot tell; there, too, only a stopped save leaves a .prev behind.
template <class System> bool previous_is_right(const std::string& path, const std::string* sum, System system) {
  if (!look(previous(path), system).exists) return false;
  if (!look(path, system).exists || !sum) return true;
  return sum_of(read_file(path, std::numeric_limits<std::int64_t>::max(), system)) != *sum;
}

}  // namespace detail

// ---------------------------------------------------------------- saving

/// Saves a model so that the folder holds the old model or the new one at every moment, also when the program is
/// killed, the disk is full, or the power fails. Fills config.files. A failure before step 4 puts the old files back.
///
/// throws    entrain.checkpoint.1 ... 4 (atomic_file.hpp), 14, 18, 19 (safetensors.hpp), 37 (json.hpp)
template <class System = Posix>
void save(const std::string& folder, Config config, std::span<const FileToSave> files, System system = {}) {
  detail::make_folders(folder, system);
  OpenFolder<System> door(folder, system);
  const Temporary kind = door.lock() ? Temporary::replace : Temporary::unique;

  // A stopped save may have left the old weights under .prev: put them back, before step 2 overwrites the only good
  // copy.
  std::optional<Config> old;
  try {
    old = detail::config_of(folder, system);
  } catch (const Error&) {  // an unreadable config has no model to protect
  }
  for (const auto& file : files) {
    const std::string path = detail::in(folder, file.name);
    if (!detail::previous_is_right(path, old ? old->sha256(file.name) : nullptr, system)) continue;
    if (system.rename(detail::previous(path), path) != 0) detail::write_failed(path, "put the old file back", errno);
  }

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

  std::vector<std::string> aside, placed;
  try {
    for (const auto& out : fresh) {
      if (!detail::look(out.path(), system).exists) continue;
      if (system.rename(out.path(), detail::previous(out.path())) != 0)
        detail::write_failed(out.path(), "put the old file aside", errno);
      aside.push_back(out.path());
    }
    door.sync();
    for (auto& out : fresh) {
      out.publish();
      placed.push_back(out.path());
    }
    door.sync();
    switch_over.publish();
  } catch (...) {
    for (const auto& path : placed) system.remove(path);
    for (const auto& path : aside)
      system.rename(detail::previous(path), path);  // if this fails too, load() finds .prev
    throw;
  }
  door.sync();
  for (const auto& path : aside) system.remove(detail::previous(path));
}

/// The usual model: weights and config.
template <class System = Posix>
void save(const std::string& folder, Config config, std::span<const TensorView> weights, System system = {}) {
  const FileToSave model{std::string(weights_name), weights};
  save(folder, std::move(config), std::span(&model, 1), system);
}

// ---------------------------------------------------------------- loading

/// A file of the folder, checked against the sum that `config` names. `notes` receives a line if it was found under
/// .prev.
///
/// throws    entrain.checkpoint.5 ... 8 (read_file.hpp)
///           entrain.checkpoint.41: the file does not belong to config.json; says which of the two is older
template <class System = Posix> Bytes load_file(const std::string& folder, const Config& config,
                                                const std::string& name, std::vector<std::string>& notes,
                                                System system = {}) {
  constexpr auto any_length = std::numeric_limits<std::int64_t>::max();
  const std::string path = detail::in(folder, name), aside = detail::previous(path);
  const std::string* wanted = config.sha256(name);
  const bool has_aside = detail::look(aside, system).exists;
  const auto found_aside = [&](Bytes bytes) {
    notes.push_back(aside + ": taken for " + name + ", as a save into this folder was interrupted");
    return bytes;
  };
  if (!wanted)
    return has_aside ? found_aside(read_file(aside, any_length, system)) : read_file(path, any_length, system);

  std::string found;
  if (!has_aside || detail::look(path, system).exists) {
    Bytes bytes = read_file(path, any_length, system);
    found = detail::sum_of(bytes);
    if (found == *wanted) return bytes;
  }
  if (has_aside) {
    Bytes bytes = read_file(aside, any_length, system);
    if (detail::sum_of(bytes) == *wanted) return found_aside(std::move(bytes));
  }
  const auto file_time = detail::look(path, system).changed;
  const auto config_time = detail::look(detail::in(folder, config_name), system).changed;
  throw Error("entrain.checkpoint.41", path,
              "this is not the file that " + std::string(config_name) + " names (sha256 " + found.substr(0, 12) +
                  "...; " + (file_time < config_time ? name : std::string(config_name)) + " is the older of the two)",
              "sha256 " + wanted->substr(0, 12) + "...", "copy both files again from the same folder");
}

struct Model {
  Config config;
  Weights weights;
  std::vector<std::string> notes;  // what the user should hear about, a line each
};

/// Loads config.json, model.safetensors and whatever other safetensors files config.json names. A save that runs in
/// another process meanwhile is waited out by trying again.
///
/// throws    entrain.checkpoint.40: no config.json        .41: see load_file
///           and those of json.hpp and safetensors.hpp
template <class System = Posix> Model load(const std::string& folder, System system = {}) {
  for (int attempt = 0;; ++attempt) {
    const auto config = detail::config_of(folder, system);
    if (!config)
      throw Error("entrain.checkpoint.40", detail::in(folder, config_name), "no such file", "a model folder",
                  "check the path; a folder without it was never saved to the end");
    try {
      std::vector<std::string> notes;
      std::vector<Safetensors> files;
      const auto read = [&](const std::string& name) {
        files.emplace_back(load_file(folder, *config, name, notes, system), detail::in(folder, name));
      };
      read(std::string(weights_name));
      for (const FileSum& file : config->files)
        if (file.name != weights_name && file.name.ends_with(".safetensors")) read(file.name);
      return {*config, Weights(detail::in(folder, weights_name), std::move(files)), std::move(notes)};
    } catch (const Error&) {
      if (attempt == 4 || detail::config_of(folder, system) == config) throw;
    }
  }
}

}  // namespace entrain::checkpoint
