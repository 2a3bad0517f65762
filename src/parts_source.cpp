// What of app/ reads files of sentences, compiled once per build: as fast as can be.
#include "entrain/app/optimised.ipp"  // with the flags of the parts that are optimised
#include "entrain/app/text_source.ipp"
#include "entrain/app/unchanged.ipp"
#include "entrain/app/whole_file.ipp"
