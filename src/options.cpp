// The code of app/ that needs CLI11, compiled once per build.
#include "entrain/app/options/parse.ipp"
