// The code of app/ that reads and writes files without tags, compiled once per build.
#include "entrain/app/checks.ipp"
#include "entrain/app/format.ipp"
#include "entrain/app/rewrites.ipp"
#include "entrain/batch/check_npy.ipp"
#include "entrain/text/check_raw.ipp"
#include "entrain/text/check_texts.ipp"
