// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of overwriting.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/train/overwriting.hpp"
#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/folder_names.hpp"
#include "entrain/checkpoint/sha256.hpp"
#include "entrain/checkpoint/training_state.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/train/folder/describe.hpp"  // first_difference

namespace entrain::app {
namespace detail {

inline constexpr const char* other_output = "name another folder with --output, or discard it with --overwrite";

/// `60 sentences, 360 words`, from a content that also has a sum.
inline std::string_view numbers_of(std::string_view content) { return content.substr(0, content.find(", sha256 ")); }
/// How the words were divided into blocks when they were summed; empty for a whole file.
inline std::string_view way_of(std::string_view content) {
  const std::size_t at = content.find(", read ");
  return at == content.npos ? std::string_view() : content.substr(at);
}

/// If the path is not a file but, for example, a folder, the save reports why it cannot be replaced.
inline bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// False for standard input that is read once: its content is not known before the training.
inline bool has_sum(std::string_view content) { return content.find(", sha256 ") != content.npos; }
inline bool same_content(std::string_view a, std::string_view b) {
  if (!has_sum(a) || !has_sum(b)) return false;
  return way_of(a) == way_of(b) ? a == b : numbers_of(a) == numbers_of(b);
}

}  // namespace detail

ENTRAIN_INLINE void refuse_to_discard(const Settings& s, const std::string& composition) {
  if (s.resume && s.overwrite)
    throw WrongUsage("entrain.app.84", "train", "both --resume and --overwrite", "one of them",
                     "--resume continues from the state that --overwrite discards");
  if (s.plan || s.resume || s.overwrite) return;
  if (detail::is_file(checkpoint::training_state_path(s.output)))
    throw Error(
        "entrain.app.82", checkpoint::training_state_path(s.output), "the state of a training that was stopped",
        "a folder without one",
        "the same command with --resume continues from it; --overwrite discards it; or name another folder with "
        "--output");
  std::optional<checkpoint::Config> config;
  const std::string path = checkpoint::detail::in(s.output, checkpoint::config_name);
  if (!detail::is_file(path)) return;
  try {
    config = checkpoint::FolderFiles<>(s.output).config();
  } catch (const Error& e) {
    throw Error("entrain.app.83", path, "cannot be read, and would be replaced (" + std::string(e.what()) + ")",
                "a model of this composition", detail::other_output);
  }
  if (!config || config->composition == composition) return;
  if (config->composition.empty())
    throw Error("entrain.app.83", path, "a model of another program, which would be replaced",
                "a model of this composition", detail::other_output);
  const train::Difference d = train::first_difference(config->composition, composition);
  throw Error("entrain.app.83", path, "a model with " + std::string(d.a) + ", which would be replaced",
              std::string(d.b) + ", as this training has", detail::other_output);
}

ENTRAIN_INLINE void refuse_other_data(const Settings& s, const std::string& name, const std::string& content) {
  if (s.plan || s.resume || s.overwrite) return;
  if (!detail::is_file(checkpoint::detail::in(s.output, checkpoint::config_name))) return;
  const std::optional<checkpoint::Config> config = checkpoint::FolderFiles<>(s.output).config();
  if (!config) return;
  const std::string* const was = config->string(content_key);
  const std::string* const file = config->string("train");
  if (was ? detail::same_content(*was, content) : !file || *file == name) return;
  const auto words = [](const std::string& of, std::string_view holds) {
    return text::excerpt(of) + (holds.empty() || holds == of ? "" : " (" + std::string(holds) + ")");
  };
  const std::string path = checkpoint::detail::in(s.output, checkpoint::config_name);
  if (was && (!detail::has_sum(*was) || !detail::has_sum(content)))
    throw Error("entrain.app.83", path,
                "a model trained on " + words(file ? *file : "?", *was) + ", which would be replaced",
                "the same training data, and standard input cannot be compared", detail::other_output);
  throw Error(
      "entrain.app.83", path,
      "a model trained on other data, " + words(file ? *file : "?", was ? *was : "") + ", which would be replaced",
      "one of " + words(name, content), detail::other_output);
}

ENTRAIN_INLINE std::string resuming_command(const std::vector<std::string>& line) {
  constexpr std::string_view plain = "_@%+=:,./-";
  const auto quoted = [&](const std::string& word) {
    const auto is_plain = [&](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || plain.find(c) != plain.npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
  };
  std::string command;
  bool resumes = false;
  for (const std::string& word : line) {
    if (word == "--overwrite") continue;
    resumes = resumes || word == "--resume";
    command += (command.empty() ? "" : " ") + quoted(word);
  }
  return command + (resumes ? "" : " --resume");
}

namespace detail {
inline void add_bytes_of(const std::string& path, checkpoint::Sha256& sum) {
  std::vector<char> piece(std::size_t{1} << 20);
  std::ifstream file(path, std::ios::binary);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0)
    sum.add(std::as_bytes(std::span(piece).first(static_cast<std::size_t>(file.gcount()))));
}
}  // namespace detail

ENTRAIN_INLINE std::string identity_of_start(const std::string& folder) {
  if (folder.empty()) return "none";
  std::vector<std::string> names;
  checkpoint::add_names_in(folder, names);
  std::erase_if(names, [](const std::string& name) {
    constexpr auto& read = checkpoint::tokenizer_names;
    return !name.ends_with(".safetensors") && !name.ends_with(".json") &&
           std::find(read.begin(), read.end(), name) == read.end();
  });
  std::sort(names.begin(), names.end());
  checkpoint::Sha256 sum;
  for (const std::string& name : names) {
    if (name == checkpoint::training_state_name) continue;
    sum.add(std::as_bytes(std::span(name)));
    detail::add_bytes_of(folder + "/" + name, sum);
  }
  return "a folder with sha256 " + sum.hex().substr(0, 16);
}

ENTRAIN_INLINE std::string identity_of_vectors(const std::string& file) {
  checkpoint::Sha256 sum;
  detail::add_bytes_of(file, sum);
  return "a file with sha256 " + sum.hex().substr(0, 16);
}

}  // namespace entrain::app
