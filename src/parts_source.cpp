// The code of app/ that reads files of sentences, compiled once per build with full optimisation.
#include "entrain/app/optimised.ipp"  // needs the flags of the optimised parts
#include "entrain/app/text_source.ipp"
#include "entrain/app/unchanged.ipp"
#include "entrain/app/whole_file.ipp"
