// The code of vectors/ and app/vectors/ that is the same for every width, compiled once per build.
#include "entrain/app/vectors/answers.ipp"
#include "entrain/app/vectors/parse.ipp"
#include "entrain/vectors/files.ipp"
#include "entrain/vectors/nearest.ipp"
