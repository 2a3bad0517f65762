// tests > fuzz > [checkpoint]
//
// Any bytes as model.safetensors.index.json: refused in words, or every file that it names is next to it.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "entrain/checkpoint/open_weights.hpp"

using namespace entrain::checkpoint;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto files = parse_weight_map({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (files.empty()) std::abort();
    for (const auto& [tensor, file] : files)
      if (file.empty() || file == ".." || std::filesystem::path(file).filename() != file) std::abort();
  } catch (const entrain::Error&) {
  }
  return 0;
}
