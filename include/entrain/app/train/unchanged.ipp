// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of unchanged.hpp.
#pragma once
#include <sys/stat.h>

#include <utility>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/input/text_source.hpp"
#include "entrain/app/train/unchanged.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/core/error.hpp"
#include "entrain/task/survey.hpp"

namespace entrain::app {

ENTRAIN_INLINE FileState state_of(const std::string& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0) return {};
  return {true,
          static_cast<std::uint64_t>(about.st_dev),
          static_cast<std::uint64_t>(about.st_ino),
          static_cast<std::uint64_t>(about.st_size),
          static_cast<std::int64_t>(about.st_mtim.tv_sec),
          static_cast<std::int64_t>(about.st_mtim.tv_nsec)};
}

ENTRAIN_INLINE Unchanged::Unchanged(std::vector<std::string> files, const Reading& reading, std::size_t block_bytes)
    : files_(std::move(files)), reading_(reading), block_bytes_(block_bytes) {
  for (const std::string& file : files_) states_.push_back(state_of(file));
}

ENTRAIN_INLINE void Unchanged::looked_through(std::string identity) {
  const std::lock_guard lock(mutex_);
  identity_ = std::move(identity);
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (const FileState now = state_of(files_[i]); now != states_[i]) refuse(files_[i], states_[i], now);
}

ENTRAIN_INLINE void Unchanged::check() {
  const std::lock_guard lock(mutex_);
  std::vector<FileState> now;
  std::size_t other = files_.size();  // index of a file that may have other content
  for (std::size_t i = 0; i < files_.size(); ++i) {
    now.push_back(state_of(files_[i]));
    if (now[i] == states_[i]) continue;
    if (!now[i].there || now[i].bytes != states_[i].bytes || identity_.empty()) refuse(files_[i], states_[i], now[i]);
    other = i;
  }
  if (other == files_.size()) return;
  task::Surveyor look;
  batch::InTurn blocks(TextSource(files_, reading_, block_bytes_));
  blocks.start(0, {});
  for (text::Corpus block; blocks.next(block);) look.see(block);
  if (std::move(look).done().identity != identity_) refuse(files_[other], states_[other], now[other]);
  states_ = std::move(now);
}

[[gnu::cold]] ENTRAIN_INLINE void Unchanged::refuse(const std::string& file, const FileState& before,
                                                    const FileState& now) const {
  const auto bytes = [](const FileState& state) { return counted(state.bytes, "byte", "bytes"); };
  throw Error(
      "entrain.app.61", file,
      !now.there                  ? "removed"
      : now.bytes != before.bytes ? bytes(now)
      : identity_.empty()         ? "modified or replaced"
                                  : "modified or replaced, with other sentences",
      bytes(before) + ", as in the first pass",
      identity_.empty()
          ? "the file changed between two passes: start again"
          : "the file changed during a training that reads it each epoch: restore it and use --resume, or start again");
}

}  // namespace entrain::app
