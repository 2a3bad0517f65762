// tests > [ptx]
//
// What nvcc's objects register before main(), fat binaries and the kernels in them, and the PTX that is read once a
// kernel is asked for.
#include "tests/ptx/kernels.hpp"

#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <utility>

#include "tests/ptx/calls.hpp"
#include "tests/ptx/card.hpp"
#include "tests/ptx/errors.hpp"

namespace ptx {
namespace {

// the contents of an object: PTX in a fat binary

struct Wrapper {
  std::uint32_t magic, version;
  const std::byte* data;
  void* more;
};
struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // after the header
};
struct Entry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  // after the header
  std::uint32_t compressed_bytes, unknown;
  std::uint16_t minor, major;  // of the language
  std::uint32_t target;        // 90: sm_90
};
static_assert(sizeof(Wrapper) == 24 && sizeof(Header) == 16 && sizeof(Entry) == 32);
constexpr std::uint32_t wrapper_magic = 0x466243b1, header_magic = 0xba55ed50;
constexpr std::uint16_t kind_ptx = 1;

template <class T> T copy_of(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Not read further than to know what there is: programs have more objects than they launch kernels of.
std::vector<Binary::Text> texts_of(const void* fat) {
  std::vector<Binary::Text> texts;
  const auto wrapper = copy_of<Wrapper>(static_cast<const std::byte*>(fat));
  if (wrapper.magic != wrapper_magic) return texts;
  const auto header = copy_of<Header>(wrapper.data);
  if (header.magic != header_magic) return texts;
  const std::byte* at = wrapper.data + header.header_bytes;
  for (const std::byte* const end = at + header.bytes; at < end;) {
    const auto entry = copy_of<Entry>(at);
    const auto* const text = reinterpret_cast<const char*>(at + entry.header_bytes);
    if (entry.kind == kind_ptx) texts.push_back({static_cast<int>(entry.target), {text, entry.bytes}});
    at += entry.header_bytes + entry.bytes;
  }
  return texts;
}

/// Without the zeros that fill it up to whole words.
std::string_view without_end(std::string_view text) { return text.substr(0, text.find('\0')); }

bool is_text(std::string_view ptx) { return without_end(ptx).find(".version") != ptx.npos; }

// kernels

/// The newest text that this card understands.
const Binary::Text* text_for(const Binary& binary, int capability) {
  const Binary::Text* best = nullptr;
  for (const Binary::Text& text : binary.texts)
    if (text.target <= capability && (best == nullptr || text.target > best->target)) best = &text;
  return best;
}
cudaError_t read_module(Card& card, Binary& binary) {
  const Binary::Text* const text = text_for(binary, card.capability());
  if (text == nullptr)
    return refuse(cudaErrorNoKernelImageForDevice,
                  "an object has no PTX for compute capability " + std::to_string(card.capability() / 10) + "." +
                      std::to_string(card.capability() % 10) +
                      ": compile it with nvcc -gencode arch=compute_90,code=compute_90, or an older target");
  if (!is_text(text->ptx))
    return refuse(cudaErrorInvalidPtx, "the PTX in an object is compressed: compile it with nvcc --no-compress");
  try {
    binary.module = std::make_unique<Module>(without_end(text->ptx));
  } catch (const std::exception& e) {
    return refuse(cudaErrorInvalidPtx, e.what());
  }
  binary.target = text->target;
  return cudaSuccess;
}

}  // namespace

std::string readable(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return text != nullptr ? text.get() : name;
}
cudaError_t load(Card& card, CUkern_st& function) {
  if (function.kernel != nullptr) return cudaSuccess;
  Binary& binary = *function.binary;
  if (binary.module == nullptr && binary.fault == cudaSuccess) binary.fault = read_module(card, binary);
  if (binary.fault != cudaSuccess) return binary.fault;
  function.kernel = binary.module->kernel(function.name);
  if (function.kernel == nullptr)
    return refuse(cudaErrorInvalidDeviceFunction, "there is no kernel " + readable(function.name));
  function.dynamic_shared = usual_shared - std::min(usual_shared, function.kernel->static_shared);
  return cudaSuccess;
}
cudaError_t find(Card& card, const void* host_function, CUkern_st*& found) {
  const auto known = card.kernels.find(host_function);
  if (known == card.kernels.end()) return cudaErrorInvalidDeviceFunction;
  found = known->second.get();
  return load(card, *found);
}

}  // namespace ptx

using namespace ptx;

// what nvcc adds to kernels

extern "C" {

void** __cudaRegisterFatBinary(void* fat) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  card.binaries.push_back(std::make_unique<Binary>(Binary{texts_of(fat)}));
  return reinterpret_cast<void**>(card.binaries.back().get());
}
void __cudaRegisterFatBinaryEnd(void**) {}
/// At a program's end: what its kernels did goes to the end of the file that ENTRAIN_PTX_REPORT names.
void __cudaUnregisterFatBinary(void** handle) {
  const char* const file = std::getenv("ENTRAIN_PTX_REPORT");
  const Binary& binary = *reinterpret_cast<const Binary*>(handle);
  if (file == nullptr || !binary.module) return;
  std::FILE* const to = std::fopen(file, "a");
  if (to == nullptr) return;
  std::fputs(binary.module->report().c_str(), to);
  std::fclose(to);
}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void** binary, const char* host_function, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  auto made = std::make_unique<CUkern_st>(CUkern_st{reinterpret_cast<Binary*>(binary), name});
  card.kernels.try_emplace(host_function, std::move(made));
}
/// Variables are in the module; the host asks for none of them by name.
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

/// Asked for before main() too: nothing is read yet.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  return call([&](Card& card) {
    const auto known = card.kernels.find(host_function);
    if (known == card.kernels.end()) return cudaErrorInvalidDeviceFunction;
    return *kernel = known->second.get(), cudaSuccess;
  });
}

}  // extern "C"
