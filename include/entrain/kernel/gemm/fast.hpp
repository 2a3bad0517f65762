// core > device, precision > tensor > [kernel] > layer
//
// The fastest product that this build has: device::Cpu<kernel::FastGemm>. The CMake target entrain::onednn defines
// ENTRAIN_ONEDNN and links the library.
#pragma once
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
