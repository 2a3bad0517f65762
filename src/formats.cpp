// The code of app/ that reads and writes files without tags, compiled once per build.
#include "entrain/app/check/checks.ipp"
#include "entrain/app/convert/rewrites.ipp"
#include "entrain/app/input/format.ipp"
#include "entrain/batch/numpy/check_npy.ipp"
#include "entrain/text/check/check_raw.ipp"
#include "entrain/text/check/check_texts.ipp"
#include "entrain/text/folder/labelled_folder.ipp"
