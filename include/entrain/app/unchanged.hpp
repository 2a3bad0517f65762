// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Training files that are read each epoch, and whether they are still what they were when they were looked through.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

/// What the system says of a file; two that are equal are one file that has not been written to in between.
struct FileState {
  bool there = false;
  std::uint64_t device = 0, number = 0, bytes = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  // when it was last written to
  friend bool operator==(const FileState&, const FileState&) = default;
};
ENTRAIN_PART FileState state_of(const std::string& file);

/// Any number of threads may ask.
class Unchanged {
 public:
  /// Remembers what the files are now. How they are read is kept to compare what is in them.
  ///
  /// block_bytes    of the sources that read them
  ENTRAIN_PART Unchanged(std::vector<std::string> files, const Reading& reading, std::size_t block_bytes);

  /// After the pass that looked through them. identity: train::Survey's; empty: any change is refused from then on
  ///
  /// throws    entrain.app.61: a file was changed while it was read
  ENTRAIN_PART void looked_through(std::string identity);

  /// A file that was written to or replaced, and is as long as before, is read again: what counts is what is in it.
  ///
  /// throws    entrain.app.61: another file than before, cut, longer, gone, or with other sentences
  ENTRAIN_PART void check();

 private:
  [[noreturn]] void refuse(const std::string& file, const FileState& before, const FileState& now) const;

  std::vector<std::string> files_;
  Reading reading_;
  std::size_t block_bytes_;
  std::mutex mutex_;  // of all that follows
  std::vector<FileState> states_;
  std::string identity_;
};

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/unchanged.ipp"
#endif
