// tests > fuzz > [checkpoint]
//
// Any bytes as config.json: refused in words, or written and read again it says the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "entrain/checkpoint/json.hpp"

using namespace entrain::checkpoint;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Config config = parse_config({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string written = dump_config(config);
    if (dump_config(parse_config(written, "written")) != written) std::abort();
  } catch (const entrain::Error&) {
  }
  return 0;
}
