// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of labelled_folder.hpp.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "entrain/core/error.hpp"
#include "entrain/text/files/file.hpp"
#include "entrain/text/files/file_list.hpp"  // in_natural_order
#include "entrain/text/folder/labelled_folder.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {
namespace detail {

/// The names in a folder that do not begin with a dot.
inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  std::filesystem::directory_iterator at(folder, failed);
  for (; !failed && at != std::filesystem::directory_iterator(); at.increment(failed))
    if (std::string name = at->path().filename().string(); !name.starts_with('.')) names.push_back(std::move(name));
  if (failed)
    throw Error("entrain.text.3", folder, "a folder that cannot be read (" + failed.message() + ")", {},
                "check its permissions");
  return names;
}
inline bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}
inline bool is_named_text(std::string_view name) {
  return name.ends_with(".txt") || name.ends_with(".txt.gz") || name.ends_with(".txt.zst");
}

}  // namespace detail

ENTRAIN_INLINE LabelledFolder::LabelledFolder(const std::string& folder, bool lenient) : lenient_(lenient) {
  const std::string place = folder.ends_with('/') ? folder : folder + "/";
  std::vector<std::string> labels = detail::names_in(folder);
  std::sort(labels.begin(), labels.end());
  bool any = false;
  for (const std::string& label : labels) {
    if (!detail::is_folder(place + label)) {
      files_.push_back({place + label, {}, "a file that is in no folder of a label"});
      continue;
    }
    any = true;
    std::vector<std::string> names = detail::names_in(place + label);
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return in_natural_order(a, b); });
    for (const std::string& name : names) {
      const std::string path = place + label + "/" + name;
      files_.push_back({path, label,
                        detail::is_folder(path)        ? "a folder in the folder of a label"
                        : !detail::is_named_text(name) ? "a file whose name does not end in .txt"
                                                       : ""});
    }
  }
  if (!any)
    throw Error("entrain.text.55", folder, "no folder of a label", "files as in " + place + "LABEL/1.txt",
                "name a file, if the texts are in files of many");
}

ENTRAIN_INLINE bool LabelledFolder::read(Raw& raw) {
  if (at_ == files_.size()) return false;
  const File& file = files_[at_++];
  raw = {file.path, file.label, {}, file.fault};
  if (raw.fault.empty()) {
    std::error_code ignored;
    if (std::filesystem::file_size(file.path, ignored) != 0 || ignored) raw.bytes = read_file(file.path);
    if (raw.bytes.size() > longest)
      raw.fault = "a text of " + std::to_string(raw.bytes.size() >> 20) + " MiB, expected at most 16";
    else if (!is_valid_utf8(raw.bytes))
      raw.fault = "bytes that are not UTF-8";
  }
  if (!raw.fault.empty() && !lenient_)
    throw Error("entrain.text.56", raw.name, raw.fault, "a text file in the folder of its label",
                "move it, or leave such files out with --lenient");
  return true;
}

ENTRAIN_INLINE void LabelledFolder::take(const Raw& raw, Texts& texts) {
  texts.clear();
  texts.name = raw.name;
  if (!raw.fault.empty()) {
    ++texts.met.malformed;
    texts.problems.push_back({1, raw.fault});
    return;
  }
  std::string_view bytes = raw.bytes;
  if (bytes.starts_with(byte_order_mark)) {
    bytes.remove_prefix(byte_order_mark.size());
    texts.met.bom = 1;
  }
  texts.met.lines = static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  texts.bytes += bytes;
  texts.add_label(raw.label);
  texts.end_text(1);
}

}  // namespace entrain::text
