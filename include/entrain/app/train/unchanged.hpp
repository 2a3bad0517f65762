// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Checks that training files that are read each epoch are still what they were in the first pass.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// The system's facts about a file; two equal values mean one file that was not written to in between.
struct FileState {
  bool there = false;
  std::uint64_t device = 0, number = 0, bytes = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  // time of the last write
  friend bool operator==(const FileState&, const FileState&) = default;
};
ENTRAIN_INLINE FileState state_of(const std::string& file);

/// Any number of threads may call check.
class Unchanged {
 public:
  /// Records the present state of the files. `reading` is kept to compare their contents later.
  ///
  /// block_bytes    of the sources that read them
  ENTRAIN_INLINE Unchanged(std::vector<std::string> files, const Reading& reading, std::size_t block_bytes);

  /// Call it after the first pass. identity: train::Survey's; empty: any change is refused from then on
  ///
  /// throws    entrain.app.61: a file was changed while it was read
  ENTRAIN_INLINE void looked_through(std::string identity);

  /// If a file was modified or replaced and has its old length, it is read again: only a change of its content is
  /// refused.
  ///
  /// throws    entrain.app.61: another file than before, cut, longer, gone, or with other sentences
  ENTRAIN_INLINE void check();

 private:
  [[noreturn]] void refuse(const std::string& file, const FileState& before, const FileState& now) const;

  std::vector<std::string> files_;
  Reading reading_;
  std::size_t block_bytes_;
  std::mutex mutex_;  // guards all that follows
  std::vector<FileState> states_;
  std::string identity_;
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/unchanged.ipp"
#endif
