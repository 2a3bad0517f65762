// tests > fuzz > [text]
//
// Any bytes as JSON Lines of a source; the first byte says how they are read. See records.hpp for what must hold.
#include <cstdint>
#include <string_view>

#include "records.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  entrain::test::any_records<entrain::text::Jsonl<entrain::text::Bioes>>(input, false);
  return 0;
}
