// The code of batch/ that is the same for all features, compiled once per build.
#include "entrain/batch/budget.ipp"
#include "entrain/batch/cache_layout.ipp"
