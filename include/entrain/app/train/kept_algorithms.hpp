// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// --algorithms FILE: a GPU's products use the algorithms that an earlier run measured, and this run's measurements are
// saved there.
#pragma once
#include <unistd.h>

#include <string>
#include <type_traits>

#include "entrain/app/console/console.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/signals.hpp"
#include "entrain/app/output/system_with_signals.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/files/file.hpp"

namespace entrain::app {

template <class D> inline constexpr bool measures_products = requires(const D& dev) { dev.products(); };

/// Call it before the first product. Without a file name, nothing is measured.
///
/// throws    entrain.app.25: the device has no such algorithms; entrain.device.6: the file is of another kind; what
///           text::read_file throws
template <class D> [[gnu::cold]] void take_algorithms(const D& dev, const std::string& file, Console& console) {
  if (file.empty()) return;
  if constexpr (measures_products<D>) {
    using Algorithms = std::remove_cvref_t<decltype(*dev.products().kept())>;
    Algorithms known;
    const bool there = ::access(file.c_str(), F_OK) == 0;
    if (there) known = Algorithms::read(text::read_file(file), file);
    if (!dev.products().go_by(known) && there)
      console.warn(file + ": measured on " + known.machine() + "; this is " + dev.products().machine() +
                   ": algorithms are measured again");
  } else {
    throw WrongUsage("entrain.app.25", "--algorithms", "this program computes on the CPU",
                     "a program for an NVIDIA GPU", "omit the option");
  }
}

/// The algorithms that a device's products use, for a later resume; empty if nothing was measured.
template <class D> [[gnu::cold]] std::string algorithms_of(const D& dev) {
  if constexpr (measures_products<D>)
    if (dev.products().kept()) return dev.products().kept()->text();
  return {};
}

/// Restores what algorithms_of returned; where: the file that held it.
///
/// throws    entrain.device.6: it is no such text
template <class D>
[[gnu::cold]] void go_on_by(const D& dev, const std::string& text, const std::string& where, Console& console) {
  if constexpr (measures_products<D>) {
    if (text.empty()) return;
    using Algorithms = std::remove_cvref_t<decltype(*dev.products().kept())>;
    if (!dev.products().go_by(Algorithms::read(text, where)))
      console.warn(where + ": algorithms were measured on a GPU other than " + dev.products().machine() +
                   ": they are measured again, so the results will not be bit-identical");
  }
}

/// Makes two devices use the same algorithms, so that they give the same bits.
template <class D> [[gnu::cold]] void go_by_the_same(const D& dev, const D& as) {
  if constexpr (measures_products<D>)
    if (as.products().kept()) dev.products().go_by(*as.products().kept());
}

/// Call it after training: writes the file again if something was measured.
///
/// throws    what AtomicFile throws
template <class D>
[[gnu::cold]] void keep_algorithms(const D& dev, const std::string& file, Console& console, Signals* signals) {
  if constexpr (measures_products<D>) {
    if (file.empty()) return;
    const std::string text = dev.products().kept()->text();
    if (::access(file.c_str(), F_OK) == 0 && text::read_file(file) == text) return;
    checkpoint::write_file(file, text, SystemWithSignals<checkpoint::Posix>(signals));
    console.fact("algorithms", file + ", of " + std::to_string(dev.products().kept()->size()) + " products");
  }
}

}  // namespace entrain::app
