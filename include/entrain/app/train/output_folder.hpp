// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The folder of --output, which one training owns from its start to its end.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "entrain/app/output/signals.hpp"
#include "entrain/app/train/training_lock.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// Makes the folder if it does not exist, and holds a lock on a file in it, training.lock: training_lock.hpp. A folder
/// that this object made is removed at the end if it holds no file.
///
/// throws    entrain.app.10: the folder cannot be written to      .80: another training owns it
class OutputFolder {
 public:
  ENTRAIN_INLINE OutputFolder(const std::string& path, Signals* signals);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ENTRAIN_INLINE ~OutputFolder();

 private:
  void end();

  Signals* signals_;
  std::optional<TrainingLock> lock_;
  std::vector<std::string> made_;  // folders, the outermost first
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/output_folder.ipp"
#endif
