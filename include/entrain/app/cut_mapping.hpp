// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A cache is mapped. Where another program cuts its file short, the system answers a read of what is gone with SIGBUS,
// which no exception can be made of.
#pragma once
#include <signal.h>

#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

/// While it lives, that read ends the program with exit code 1 and one line, which names the folder of the cache. One
/// at a time.
class CutMapping {
 public:
  ENTRAIN_PART explicit CutMapping(const std::string& folder);
  CutMapping(const CutMapping&) = delete;
  CutMapping& operator=(const CutMapping&) = delete;
  ENTRAIN_PART ~CutMapping();

 private:
  struct sigaction before_ {};
};

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/cut_mapping.ipp"
#endif
