// tests > [ptx]
//
// How a call says no.
#pragma once
#include <driver_types.h>

#include <string>

namespace ptx {

/// Prints why.
///
/// returns   code
cudaError_t refuse(cudaError_t code, const std::string& why);
/// Keeps the code for cudaGetLastError, if it is an error's.
///
/// returns   code
cudaError_t said(cudaError_t code);

}  // namespace ptx
