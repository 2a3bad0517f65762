// text > batch > embed > encode > head > optim > [checkpoint]
//
// Reads files of a model folder that belong together. Every reader of a folder gets its files only here: another
// process may be saving into the folder, or may have been stopped while it saved (described in folder.hpp).
//
// The files that belong to the current config.json:
//
//   config.json lists sums     only the listed files, each under its name or with .prev added, whichever has the sum
//   it lists none              (a folder of Hugging Face) FILE.prev if it exists, because only a save leaves it: an
//                              empty one means that there was no FILE; else FILE
#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/checkpoint/json.hpp"
#include "entrain/checkpoint/read_file.hpp"
#include "entrain/checkpoint/sha256.hpp"

namespace entrain::checkpoint {

inline constexpr std::string_view config_name = "config.json", weights_name = "model.safetensors";

/// The files from which a tokenizer is read, by entrain or by transformers.
inline constexpr std::array<std::string_view, 7> tokenizer_names{
    "tokenizer.json",          "vocab.txt",        "vocab.json", "merges.txt", "tokenizer_config.json",
    "special_tokens_map.json", "added_tokens.json"};

/// A text of a folder.
struct FolderText {
  std::string name, where, text;  // where: the path for messages
};

/// Null if there is none of that name.
inline const FolderText* find_text(const std::vector<FolderText>& texts, std::string_view name) {
  const auto it = std::find_if(texts.begin(), texts.end(), [&](const FolderText& t) { return t.name == name; });
  return it == texts.end() ? nullptr : &*it;
}

namespace detail {

inline constexpr std::int64_t longest_config = 64 << 20;
inline constexpr auto any_length = std::numeric_limits<std::int64_t>::max();

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
    throw Error("entrain.checkpoint.5", path, "cannot stat it: " + system_words(errno), {}, "check the path");
  return info;
}

}  // namespace detail

/// The files that belong to the config.json read by the constructor. Use at_one_moment, which makes this object.
template <class System = Posix> class FolderFiles {
 public:
  /// throws    for config.json: entrain.checkpoint.5 ... 8 (read_file.hpp) and those of parse_config
  explicit FolderFiles(std::string folder, System system = {}) : folder_(std::move(folder)), system_(system) {
    const std::string path = path_of(config_name);
    if (const auto bytes = read_file_if_there(path, detail::longest_config, system_)) {
      config_text_ = bytes->text();
      config_ = parse_config(config_text_, path);
    }
  }

  const std::string& folder() const { return folder_; }
  std::string path_of(std::string_view name) const { return detail::in(folder_, name); }
  const std::optional<Config>& config() const { return config_; }  // nothing: there is no config.json
  const std::string& config_text() const { return config_text_; }
  /// Whether config.json lists the files by their sums; files that are read are then known to belong to it.
  bool lists_sums() const { return config_ && !config_->files.empty(); }

  /// Whether the model has a file of that name.
  bool has(std::string_view name) {
    if (lists_sums()) return config_->sha256(name) != nullptr;
    const std::string path = path_of(name), aside = detail::previous(path);
    for (int i = 0; i < most_looks; ++i) {
      if (const FileInfo old = detail::look(aside, system_); old.exists) return old.bytes > 0;
      const bool there = detail::look(path, system_).exists;
      if (!detail::look(aside, system_).exists) return there;  // else a save moved it between the two looks
    }
    return false;
  }

  /// throws    entrain.checkpoint.5 ... 8 (read_file.hpp)
  ///           entrain.checkpoint.41: the file does not belong to config.json; the message states which is older
  ///           entrain.checkpoint.42: config.json lists sums, and none of this file
  Bytes read(const std::string& name) {
    if (!lists_sums()) return read_unlisted(name);
    if (const std::string* const wanted = config_->sha256(name)) return read_listed(name, *wanted);
    throw Error("entrain.checkpoint.42", path_of(config_name), "entrain.files does not list " + name,
                "the SHA-256 of every file of the model",
                "copy the folder again, or add the output of `sha256sum " + path_of(name) + "`");
  }
  FolderText read_text(const std::string& name) {
    const Bytes bytes = read(name);
    return {name, path_of(name), std::string(bytes.text())};
  }

  /// Notes for the user about the files that were read, a line each.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Whether config.json is still the one that was read. An unreadable one counts as unchanged.
  bool unchanged() const {
    try {
      const auto bytes = read_file_if_there(path_of(config_name), detail::longest_config, system_);
      return bytes ? config_ && bytes->text() == config_text_ : !config_;
    } catch (const Error&) {
      return true;
    }
  }

 private:
  static constexpr int most_looks = 100;  // each but the last found a save renaming files

  [[noreturn]] void missing(const std::string& name, std::string_view remedy) const {
    throw Error("entrain.checkpoint.5", path_of(name), "cannot open: " + detail::system_words(ENOENT), {}, remedy);
  }

  Bytes read_unlisted(const std::string& name) {
    const std::string path = path_of(name), aside = detail::previous(path);
    for (int i = 0; i < most_looks; ++i) {
      if (const FileInfo old = detail::look(aside, system_); old.exists) {
        if (old.bytes == 0) break;
        auto bytes = read_file_if_there(aside, detail::any_length, system_);
        if (!bytes) continue;  // a save has ended, or was undone
        note_aside(name);
        return std::move(*bytes);
      }
      auto bytes = read_file_if_there(path, detail::any_length, system_);
      if (detail::look(aside, system_).exists) continue;  // the bytes may already be those of the new file
      if (!bytes) break;
      return std::move(*bytes);
    }
    missing(name, "check the path");
  }

  Bytes read_listed(const std::string& name, const std::string& wanted) {
    const std::string path = path_of(name), aside = detail::previous(path);
    FileInfo before = detail::look(path, system_);
    std::string found;
    for (int i = 0; i < most_looks; ++i) {
      found.clear();
      if (auto bytes = read_file_if_there(path, detail::any_length, system_)) {
        found = detail::sum_of(*bytes);
        if (found == wanted) return std::move(*bytes);
      }
      if (auto bytes = read_file_if_there(aside, detail::any_length, system_))
        if (detail::sum_of(*bytes) == wanted) {
          note_aside(name);
          return std::move(*bytes);
        }
      const FileInfo now = detail::look(path, system_);  // an undone save has restored the old file
      if (now.exists == before.exists && now.bytes == before.bytes && now.changed == before.changed) break;
      before = now;
    }
    if (found.empty()) missing(name, "config.json lists it: copy the folder again");
    const bool older = before.changed < detail::look(path_of(config_name), system_).changed;
    throw Error(
        "entrain.checkpoint.41", path,
        "this is not the file that " + std::string(config_name) + " names (sha256 " + found.substr(0, 12) + "...; " +
            (older ? name : std::string(config_name)) + " is the older of the two)",
        "sha256 " + wanted.substr(0, 12) + "...",
        "copy both files again from the same folder; if it was changed on purpose, set its sum in entrain.files of " +
            std::string(config_name) + " to " + found);
  }

  /// Adds a note about a file that was found under .prev.
  void note_aside(const std::string& name) {
    const std::string aside = detail::previous(path_of(name));
    std::string why = "a save into this folder is in progress, or was interrupted";
    try {
      OpenFolder<System> door(folder_, system_);
      const auto at_rest = door.at_rest();
      if (at_rest && *at_rest && detail::look(aside, system_).exists)
        why = "a save into this folder was interrupted";
      else if (at_rest)  // also if the save has ended since
        why = "another process was saving into this folder: this is the model before that save";
    } catch (const Error&) {  // then the reason stays general
    }
    std::string line = aside + ": read in place of " + name + ", as " + why;
    if (std::find(notes_.begin(), notes_.end(), line) == notes_.end()) notes_.push_back(std::move(line));
  }

  std::string folder_;
  System system_;
  std::string config_text_;
  std::optional<Config> config_;
  std::vector<std::string> notes_;
};

/// Calls read(FolderFiles&), and repeats the call while a save that ended in the meantime may have given it files of
/// two models. Returns its result.
///
/// throws    the errors of FolderFiles and read      entrain.checkpoint.43: a save ended during each of 100 tries
template <class System = Posix, class Read>
auto at_one_moment(const std::string& folder, Read&& read, System system = {}) {
  constexpr int most = 100;
  for (int i = 0; i < most; ++i) {
    FolderFiles<System> files(folder, system);
    try {
      auto result = read(files);
      if (files.lists_sums() || files.unchanged()) return result;
    } catch (const Error&) {
      if (files.unchanged()) throw;
    }
  }
  throw Error("entrain.checkpoint.43", folder, "another process saved into it during each of 100 tries to read it",
              "a folder that is not written to", "read it when that process has ended");
}

/// config.json and a tokenizer's files, those that exist.
template <class System>
std::vector<FolderText> tokenizer_texts(FolderFiles<System>& files,
                                        std::span<const std::string_view> names = tokenizer_names) {
  std::vector<FolderText> texts;
  if (files.config()) texts.push_back({std::string(config_name), files.path_of(config_name), files.config_text()});
  for (const std::string_view name : names)
    if (files.has(name)) texts.push_back(files.read_text(std::string(name)));
  return texts;
}

}  // namespace entrain::checkpoint
