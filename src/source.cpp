// The code of app/ that reads files of sentences, compiled once per build with full optimisation.
#include "entrain/app/console/optimised.ipp"  // needs the flags of the optimised parts
#include "entrain/app/input/text_source.ipp"
#include "entrain/app/input/whole_file.ipp"
#include "entrain/app/train/unchanged.ipp"
