// tests > fuzz
//
// What a fuzzer asks of a result. Where it does not hold, the log names the line that asked.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace entrain::test {

inline void demand(bool held, std::source_location at = std::source_location::current()) {
  if (held) return;
  std::fprintf(stderr, "ERROR: %s:%u: what is demanded here does not hold\n", at.file_name(), unsigned{at.line()});
  std::abort();
}

}  // namespace entrain::test
