// [core] > device, precision > tensor > kernel > layer
//
// The error for a thread that the system does not start. `std::system_error` alone reads "Resource temporarily
// unavailable", which names neither the option nor the limit.
#pragma once
#include <string>
#include <string_view>
#include <system_error>

#include "entrain/core/error.hpp"

namespace entrain {

/// started   threads that already run      wanted    threads that were requested
/// option    the option that sets their number, as in "--threads"
[[gnu::cold]] inline Error no_thread(std::string_view id, int started, int wanted, std::string_view option,
                                     const std::system_error& why) {
  return {id,
          option,
          "the system started " + std::to_string(started) + " of " + std::to_string(wanted) +
              (wanted == 1 ? " thread" : " threads") + " (" + why.code().message() + ")",
          {},
          "lower " + std::string(option) +
              ", or raise the limits of processes (ulimit -u) and of address space (ulimit -v)"};
}

}  // namespace entrain
