// The code of core/ and device/ that is the same for every composition, compiled once per build.
#include "entrain/core/free_memory.ipp"
#include "entrain/device/pool.ipp"
