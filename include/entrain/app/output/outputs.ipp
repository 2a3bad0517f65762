// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of outputs.hpp.
#pragma once
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/outputs.hpp"
#include "entrain/checkpoint/folder.hpp"
#include "entrain/checkpoint/folder_names.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/files/file_list.hpp"

namespace entrain::app {
namespace detail {

/// A file that a command reads or writes, and the option that names it.
struct NamedPath {
  std::string option, path;
  bool of_folder = false;  // a file in the folder that the option names
};

/// A file's number in the file system; empty for what is not a regular file.
using FileNumber = std::optional<std::pair<dev_t, ino_t>>;

inline FileNumber number_of(const struct stat& s) {
  if (!S_ISREG(s.st_mode)) return std::nullopt;
  return std::pair{s.st_dev, s.st_ino};
}
inline FileNumber number_of(int fd) {
  struct stat s {};
  return ::fstat(fd, &s) == 0 ? number_of(s) : std::nullopt;
}
inline FileNumber number_of(const std::string& path) {
  if (path == "-") return number_of(STDIN_FILENO);
  struct stat s {};
  return ::stat(path.c_str(), &s) == 0 ? number_of(s) : std::nullopt;
}

/// Whether a file of this name in a model's folder is written by training.
inline bool is_of_model(std::string_view name) {
  constexpr auto& names = checkpoint::tokenizer_names;
  for (const std::string_view ending : {".prev", ".tmp"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  return name.ends_with(".safetensors") || name == checkpoint::config_name || name == "training.lock" ||
         std::find(names.begin(), names.end(), name) != names.end();
}

inline void add_folder(std::vector<NamedPath>& to, const std::string& option, const std::string& folder) {
  std::vector<std::string> names;
  checkpoint::add_names_in(folder, names);
  for (const std::string& name : names)
    if (is_of_model(name)) to.push_back({option, (std::filesystem::path(folder) / name).string(), true});
}

/// The reader of the files reports an invalid pattern.
inline void add_pattern(std::vector<NamedPath>& to, const std::string& option, const std::string& pattern) {
  if (pattern.empty()) return;
  try {
    for (const std::string& file : text::file_list({pattern}, text::Folders::kept)) to.push_back({option, file});
  } catch (const Error&) {
  }
}

inline std::vector<NamedPath> inputs_of(const Settings& s) {
  std::vector<NamedPath> inputs;
  if (!s.config.empty()) inputs.push_back({"--config", s.config});
  switch (s.command) {
    case Command::train:
      add_pattern(inputs, "--train", s.files.train);
      add_pattern(inputs, "--dev", s.files.dev);
      add_pattern(inputs, "--test", s.files.test);
      if (!s.init.empty()) add_folder(inputs, "--init", s.init);
      if (!s.pretrained.empty()) add_folder(inputs, "--pretrained", s.pretrained);
      if (!s.vectors.empty()) inputs.push_back({"--vectors", s.vectors});
      break;
    case Command::evaluate:
      add_folder(inputs, "--model", s.model);
      add_pattern(inputs, "--" + s.split,
                  s.split == "train" ? s.files.train
                  : s.split == "dev" ? s.files.dev
                                     : s.files.test);
      break;
    case Command::predict:
      add_folder(inputs, "--model", s.model);
      for (const std::string& file : s.inputs) inputs.push_back({"", file});
      if (s.inputs.empty()) inputs.push_back({"", "-"});
      break;
    case Command::convert:
      add_pattern(inputs, "", s.inputs.empty() ? "-" : s.inputs[0]);
      break;
    case Command::check:
    case Command::score:
      for (const std::string& file : s.inputs) add_pattern(inputs, "", file);
      break;
  }
  return inputs;
}

/// Without the copies of --fix, which RepairedCopies checks.
inline std::vector<NamedPath> outputs_of(const Settings& s) {
  std::vector<NamedPath> outputs;
  const auto add = [&](const char* option, const std::string& path) {
    if (!path.empty() && path != "-") outputs.push_back({option, path});
  };
  if (s.command == Command::train && !s.plan) {
    add("--trace", s.records.trace);
    add("--log-steps", s.records.log_steps);
    add("--algorithms", s.algorithms);
    add_folder(outputs, "--output", s.output);
  }
  if (s.command == Command::predict || s.command == Command::convert) add("--output", s.destination);
  return outputs;
}

inline bool one_path(const std::string& a, const std::string& b) {
  std::error_code error;
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return whole(a) == whole(b);
}
/// Whether two paths name one file, which may not exist yet. Two paths may name one device.
inline bool one_file(const std::string& a, const std::string& b) {
  std::error_code error;
  const FileNumber here = number_of(a);
  return here ? here == number_of(b) : one_path(a, b) && !std::filesystem::exists(a, error);
}

/// `--trace x.json`; for a file in a folder, the folder's option and the file.
inline std::string words_of(const NamedPath& p) {
  if (p.option.empty()) return p.path == "-" ? "standard input" : p.path;
  return p.option + (p.of_folder ? ", file " : " ") + (p.path == "-" ? "(standard input)" : p.path);
}

}  // namespace detail

ENTRAIN_INLINE void refuse_to_write_over(const Settings& s) {
  using namespace detail;
  const std::vector<NamedPath> inputs = inputs_of(s), outputs = outputs_of(s);
  std::vector<std::pair<NamedPath, FileNumber>> written;
  for (const NamedPath& out : outputs) written.emplace_back(out, number_of(out.path));
  written.emplace_back(NamedPath{"", "standard output"}, number_of(STDOUT_FILENO));
  written.emplace_back(NamedPath{"", "standard error"}, number_of(STDERR_FILENO));
  for (const NamedPath& in : inputs) {
    const FileNumber here = number_of(in.path);
    if (!here) continue;
    for (const auto& [out, number] : written)
      if (number == here)
        throw Error("entrain.app.81", words_of(out), "the file that is read as " + words_of(in),
                    out.option.empty() ? "another file"
                    : out.of_folder    ? "another folder"
                                       : "a file of its own",
                    "nothing was written");
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (outputs[i].option != outputs[k].option && one_file(outputs[i].path, outputs[k].path))
        throw WrongUsage("entrain.app.38", words_of(outputs[k]), "the file of " + outputs[i].option,
                         "a file of its own");
  if (s.command != Command::train || s.plan) return;
  for (const NamedPath& out : outputs) {  // files that the training will make
    const std::filesystem::path path(out.path);
    std::error_code error;
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    if (!out.of_folder && is_of_model(path.filename().string()) && one_path(folder.string(), s.output))
      throw WrongUsage("entrain.app.38", words_of(out), "a file of the model in --output " + s.output,
                       "a file of its own");
  }
}

}  // namespace entrain::app
