// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Locks on what only one training at a time may write: a folder, or a file.
#pragma once
#include <string>

#include "entrain/app/output/signals.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// A lock that a program holds until this object is destroyed, on a file of its own, which contains the process id and
/// is removed at the end. A killed program leaves that file, and the next training takes it over. If the file system
/// has no locks, a second training is not kept out.
class TrainingLock {
 public:
  /// file      of the lock                 of      what it locks, for messages
  /// otherwise what the second training may do, as in `name another folder with --output`
  /// throws    entrain.app.10: the file cannot be made     .80: another training holds it
  ENTRAIN_INLINE TrainingLock(std::string file, const std::string& of, const std::string& otherwise, Signals* signals);
  TrainingLock(const TrainingLock&) = delete;
  TrainingLock& operator=(const TrainingLock&) = delete;
  ENTRAIN_INLINE ~TrainingLock();

 private:
  bool take_once(const std::string& of, const std::string& otherwise);

  Signals* signals_;
  std::string file_;
  int fd_ = -1;
};

/// A lock on a file itself, which exists before and after it. A device or a pipe has none.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ENTRAIN_INLINE ~FileLock();

  /// of        as TrainingLock
  /// throws    entrain.app.80: another training holds it
  ENTRAIN_INLINE void take(const std::string& file, const std::string& of);

 private:
  int fd_ = -1;
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/training_lock.ipp"
#endif
