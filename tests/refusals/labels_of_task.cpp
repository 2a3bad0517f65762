// entrain: this task has no 'static void write_labels(const Labels&, checkpoint::Config&)' and 'static Labels
// read_labels(const checkpoint::Config&, std::string_view where)'
#include <string>
#include <utility>
#include <vector>

#include "entrain/task/stored_labels.hpp"
#include "tests/refusals/own_task.hpp"

struct Classes {
  std::vector<std::string> names;
  int count() const { return static_cast<int>(names.size()); }
};
struct Task : OwnTask<TaskMisses::nothing> {
  using Labels = Classes;
#if !defined(WRONG)
  static void write_labels(const Labels& labels, entrain::checkpoint::Config& config) { config.labels = labels.names; }
  static Labels read_labels(const entrain::checkpoint::Config& config, std::string_view) { return {config.labels}; }
#endif
};
void save(entrain::checkpoint::Config& config) { entrain::task::write_labels<Task>({{"good", "bad"}}, config); }
int load(const entrain::checkpoint::Config& config) { return entrain::task::read_labels<Task>(config, "").count(); }
