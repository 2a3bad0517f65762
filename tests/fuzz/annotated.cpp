// tests > fuzz > [text]
//
// Any bytes as annotated text; the first byte says how they are read. See records.hpp for what must hold.
#include <cstdint>
#include <string_view>

#include "entrain/text/records/annotated_text.hpp"
#include "records.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  entrain::test::any_records<entrain::text::AnnotatedText<entrain::text::Iob1>>(input, true);
  return 0;
}
