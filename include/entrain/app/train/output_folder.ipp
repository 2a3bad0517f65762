// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of output_folder.hpp.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "entrain/app/output/output.hpp"  // prepare_folder
#include "entrain/app/train/output_folder.hpp"

namespace entrain::app {

ENTRAIN_INLINE OutputFolder::OutputFolder(const std::string& path, Signals* signals) : signals_(signals) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path at(path);
  if (!at.has_filename()) at = at.parent_path();  // for a path like `m/`
  for (; !at.empty() && !fs::exists(fs::symlink_status(at, ignored)); at = at.parent_path())
    made_.insert(made_.begin(), at.string());
  try {
    if (signals_ != nullptr)
      for (const std::string& folder : made_) signals_->leave_nothing_of(folder);
    prepare_folder(path);
    lock_.emplace(path + "/training.lock", path, "name another folder with --output", signals_);
  } catch (...) {
    end();
    throw;
  }
}

ENTRAIN_INLINE OutputFolder::~OutputFolder() { end(); }

ENTRAIN_INLINE void OutputFolder::end() {
  lock_.reset();
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    ::rmdir(folder->c_str());  // fails if the folder is not empty
    if (signals_ != nullptr) signals_->leave(*folder);
  }
  made_.clear();
}

}  // namespace entrain::app
