// tests > fuzz > [app]
//
// Any bytes as JSON lines: refused in words, or documents whose entities begin and end with words.
#include <cstdint>
#include <cstdlib>

#include "entrain/app/jsonl.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto file = entrain::app::parse_jsonl("fuzz", {reinterpret_cast<const char*>(data), size});
    for (const auto& document : file.documents)
      for (const auto& mention : document.mentions)
        if (mention.begin >= mention.end || mention.end > document.words.size()) std::abort();
  } catch (const entrain::Error&) {
  }
  return 0;
}
