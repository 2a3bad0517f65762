// core > device, precision > tensor > [kernel] > layer
//
// The fastest products that this build has: device::Cpu<kernel::FastGemm>, or, rounding to bf16,
// device::Cpu<kernel::FastBf16Gemm>. The CMake target entrain::onednn defines ENTRAIN_ONEDNN and links the library.
#pragma once
#include <type_traits>

#include "entrain/kernel/gemm/amx.hpp"
#include "entrain/kernel/gemm/bf16.hpp"

namespace entrain::kernel {
/// AMX if the compiler's flags allow it, as -march=native does on a CPU that has it.
using FastBf16Gemm = std::conditional_t<ENTRAIN_MATRIX_TILES, AmxGemm, Bf16Gemm>;
}  // namespace entrain::kernel

#if defined(ENTRAIN_ONEDNN)
#include "entrain/kernel/gemm/onednn.hpp"

namespace entrain::kernel {
using FastGemm = OneDnnGemm;
}
#else
#include "entrain/kernel/gemm/packed.hpp"

namespace entrain::kernel {
using FastGemm = PackedGemm;
}
#endif
