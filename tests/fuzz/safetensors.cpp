// tests > fuzz > [checkpoint]
//
// Any bytes as a safetensors file: refused in words, or every tensor is inside the file and has the bytes that its
// shape asks for.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "entrain/checkpoint/safetensors.hpp"

using namespace entrain::checkpoint;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Few inputs get past the length of the header, so it is corrected: every other input keeps what it says.
  std::string file(reinterpret_cast<const char*>(data), size);
  if (size >= 9 && data[size - 1] % 2 == 0) {
    const std::uint64_t end = file.rfind('}');
    const std::uint64_t length = end == std::string::npos || end < 8 ? size - 8 : end - 7;
    std::memcpy(file.data(), &length, 8);
  }
  try {
    Bytes bytes(file.size());
    std::memcpy(bytes.span().data(), file.data(), file.size());
    const Safetensors read(std::move(bytes), "fuzz");
    std::size_t total = 0;
    std::vector<std::byte> all;  // every byte is copied, so that the address sanitizer sees it
    for (const TensorView& t : read.tensors()) {
      total += t.bytes.size();
      all.insert(all.end(), t.bytes.begin(), t.bytes.end());
      if (bytes_of(t.dtype, t.shape) != t.bytes.size() || read.find(t.name) != &t) std::abort();
    }
    if (total > size) std::abort();
  } catch (const entrain::Error&) {
  }
  return 0;
}
