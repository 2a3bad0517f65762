// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// A memory plan as a table for people.
#pragma once
#include <string>
#include <string_view>

#include "entrain/app/train/device_memory.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/train/loop/memory_plan.hpp"

namespace entrain::app {

/// The table of --plan, followed by the bytes per row and per sentence and the number of rows that would fit.
///
/// unit      what a row is, as in "words"           largest    rows that fit; app::most_rows: at least that many
ENTRAIN_INLINE std::string memory_table(const train::MemoryPlan& plan, const train::BytesPer& per,
                                        const DeviceMemory& memory, std::string_view unit, int largest);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/memory_table.ipp"
#endif
