// tests > [ptx]
//
// The kernels of a program: the PTX in its objects, and their host functions.
#pragma once
#include <driver_types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/ptx/machine.hpp"

namespace ptx {

class Card;

/// The GPU's side of one object.
struct Binary {
  struct Text {
    int target;
    std::string_view ptx;
  };
  std::vector<Text> texts;
  int target = 0;  // of the text that is taken
  std::unique_ptr<Module> module = {};
  cudaError_t fault = cudaSuccess;  // why there is no module, from the first time on that it was asked for
};

}  // namespace ptx

struct CUkern_st {
  ptx::Binary* binary;
  std::string name;
  const ptx::Kernel* kernel = nullptr;  // once it was asked for
  std::size_t dynamic_shared = 0;       // the most that it may then be launched with
};

namespace ptx {

/// A kernel as it is in the source.
std::string readable(const std::string& name);
/// The kernel's PTX is read when its first kernel is asked for.
cudaError_t load(Card&, CUkern_st& function);
/// The kernel of a host function.
cudaError_t find(Card&, const void* host_function, CUkern_st*& found);

}  // namespace ptx
