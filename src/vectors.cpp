// The code of vectors/ that is the same for every width, compiled once per build.
#include "entrain/vectors/files.ipp"
#include "entrain/vectors/nearest.ipp"
