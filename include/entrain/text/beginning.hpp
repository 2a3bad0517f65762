// [text] > batch > embed > encode > head > optim > checkpoint
//
// How a file begins, unpacked, without taking it from its reader.
#pragma once
#include <cstddef>
#include <string>

#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::text {

struct Beginning {
  std::string bytes;   // unpacked; empty where the file cannot be looked into
  bool whole = false;  // the file has no more
};

/// The first bytes of a file, at most `most`. Of standard input, also by the names /dev/stdin and /dev/fd/N: what has
/// arrived of a pipe, copied by tee(2), or what comes next of a file, whose place is restored. Waits until a byte has
/// arrived. Nothing of a terminal, a socket, a device, or a pipe that must be opened by its name.
///
/// throws    entrain.text.1 to .3 and .33 to .35 as ByteStream, of a file that is opened by its name; of standard
///           input its reader throws them
ENTRAIN_PART Beginning beginning_of(const std::string& file, std::size_t most = std::size_t{1} << 16);

}  // namespace entrain::text

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/text/beginning.ipp"
#endif
