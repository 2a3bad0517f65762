// The code of batch/ that is the same for all features, compiled once per build.
#include "entrain/batch/pack/batching.ipp"
#include "entrain/batch/pack/budget.ipp"
#include "entrain/batch/pack/cache_layout.ipp"
