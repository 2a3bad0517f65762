// What unpacks files, compiled twice per build: with the libraries that are there, and with none (CMakeLists.txt).
#include "entrain/text/unpack.ipp"
