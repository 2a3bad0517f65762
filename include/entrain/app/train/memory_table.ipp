// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of memory_table.hpp.
#pragma once
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/train/auto_budget.hpp"  // most_rows
#include "entrain/app/train/memory_table.hpp"
#include "entrain/report/table.hpp"

namespace entrain::app {

ENTRAIN_INLINE std::string memory_table(const train::MemoryPlan& plan, const train::BytesPer& per,
                                        const DeviceMemory& memory, std::string_view unit, int largest) {
  const std::string rows(unit);
  const std::array<report::Column, 3> titles{report::Column{"memory", report::Align::left}, {"bytes"}, {"MiB"}};
  std::vector<report::Row> lines;
  const auto line = [&](const std::string& name, std::size_t bytes) {
    const std::string mib = mebibytes(bytes);
    if (bytes > 0) lines.push_back({name, grouped(bytes), mib.substr(0, mib.find(' '))});
  };
  line("values", plan.values);
  line("copies in lower precision", plan.copies);
  line("gradients", plan.gradients);
  line("moments", plan.moments);
  line("step numbers of table rows", plan.stamps);
  line("steps", plan.steps);
  line("batch", plan.batch);
  line("encoded corpus", plan.corpus);
  line("tags, loss, class weights", plan.results);
  line("arena", plan.cost.arena);
  line("rounding to pages", plan.rounding);
  line("total of training", plan.total());
  line("matmul workspace, allocated before", memory.workspace);
  if (memory.total > 0) line("context, libraries, other programs", memory.total - memory.free - memory.workspace);
  if (memory.free != std::numeric_limits<std::size_t>::max()) {
    line("free", memory.free);
    line("of it kept free", memory.reserve);
  }
  return report::table(titles, lines) + "\nfor batches of at most " + grouped(std::int64_t{plan.rows}) + " " + rows +
         "; each further one takes " + grouped(per.row) + " bytes, plus " + grouped(per.sentence) +
         " if it is a sentence of its own\n" +
         (largest >= most_rows ? grouped(std::int64_t{largest}) + " " + rows + " and more would fit\n"
                               : "batches of " + grouped(std::int64_t{largest}) + " " + rows + " would fit\n");
}

}  // namespace entrain::app
