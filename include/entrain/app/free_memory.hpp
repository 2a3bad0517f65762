// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// How much memory a program may still take on this machine: what the system could give, and what the group of
// processes that it runs in (a container, say) is allowed.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::app {

/// Bytes: MemAvailable of /proc/meminfo, or what the limits of the process's control groups leave, if that is less. 0
/// where neither can be asked.
///
/// root    the folder in which /proc and /sys lie
ENTRAIN_PART std::size_t free_memory(const std::string& root = "");

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/free_memory.ipp"
#endif
