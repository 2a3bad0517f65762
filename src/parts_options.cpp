// What of app/ needs CLI11, compiled once per build.
#include "entrain/app/parse.ipp"
