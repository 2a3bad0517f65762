// [core] > device, precision > tensor > kernel > layer
//
// How much memory a program may still take on this machine: what the system could give, and what the group of
// processes that it runs in (a container, say) is allowed.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain {

/// Bytes: MemAvailable of /proc/meminfo, or what the limits of the process's control groups or of its address space
/// leave, if that is less. The largest number where none can be asked: then nothing is refused.
///
/// Groups of version 1 and 2 are found where /proc/self/mountinfo says that they are mounted. A limit holds for all
/// groups below it, so all groups up to the mount are asked.
///
/// root    the folder that holds /proc and /sys
ENTRAIN_PART std::size_t free_memory(const std::string& root = "");

}  // namespace entrain

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/core/free_memory.ipp"
#endif
