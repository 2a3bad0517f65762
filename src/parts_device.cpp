// What of device/ is the same for every composition, compiled once per build.
#include "entrain/device/pool.ipp"
