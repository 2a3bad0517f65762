// The code that decompresses files, compiled twice per build: with the installed libraries, and with none
// (CMakeLists.txt).
#include "entrain/text/files/decompress.ipp"
