// [core] > device, precision > tensor > kernel > layer
//
// How much memory a program may still allocate on this machine: what the system has left, and what the limits of the
// process's group (such as a container) allow.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain {

/// Bytes: MemAvailable of /proc/meminfo, or what the limits of the process's control groups or of its address space
/// leave, if that is less. If none of these can be read, the result is the largest number, so that no request is
/// refused.
///
/// Groups of version 1 and 2 are looked up where /proc/self/mountinfo lists their mounts. A limit holds for all groups
/// below it, so all groups up to the mount are read.
///
/// root    the folder that holds /proc and /sys
ENTRAIN_INLINE std::size_t free_memory(const std::string& root = "");

}  // namespace entrain

#if !defined(ENTRAIN_COMPILED)
#include "entrain/core/free_memory.ipp"
#endif
