// [text] > batch > embed > encode > head > optim > checkpoint
//
// Reads the beginning of a file, decompressed, and leaves all bytes for the file's reader.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

struct Beginning {
  std::string bytes;   // decompressed; empty if the file cannot be inspected
  bool whole = false;  // true: the file has no more bytes
};

/// The first bytes of a file, at most `most`. Standard input is "-", /dev/stdin or /dev/fd/N. From a pipe there, the
/// function copies by tee(2) the bytes that have arrived. From a file there, it reads the next bytes and restores the
/// position. It waits until one byte has arrived. It reads nothing from a terminal, a socket, a device, or a pipe that
/// must be opened by its name.
///
/// throws    entrain.text.1 to .3 and .33 to .35 as ByteStream, for a file that is opened by its name; for standard
///           input its reader throws them
ENTRAIN_INLINE Beginning beginning_of(const std::string& file, std::size_t most = std::size_t{1} << 16);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/files/beginning.ipp"
#endif
