// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A cache is a mapped file. If another program cuts the file short, a read beyond its end raises SIGBUS, which cannot
// be turned into an exception.
#pragma once
#include <signal.h>

#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// While this object lives, such a read ends the program with exit code 1 and one line that names the folder of the
/// cache. One object at a time.
class CutMapping {
 public:
  ENTRAIN_INLINE explicit CutMapping(const std::string& folder);
  CutMapping(const CutMapping&) = delete;
  CutMapping& operator=(const CutMapping&) = delete;
  ENTRAIN_INLINE ~CutMapping();

 private:
  struct sigaction before_ {};
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/cut_mapping.ipp"
#endif
