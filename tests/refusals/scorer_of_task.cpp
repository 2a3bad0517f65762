// entrain: this task's Scorer has no sentence(std::size_t s, std::span<const Prediction::Number>), scores(), or
#include <span>

#include "tests/refusals/own_task.hpp"

struct Scorer {
  Scorer(const Gold&, const OneNumber&) {}
#if defined(WRONG)
  void sentence(std::size_t, float) {}
#else
  void sentence(std::size_t, std::span<const float>) {}
#endif
  double scores() const { return 0; }
  static double score(double scores) { return scores; }
};
struct Task : OwnTask<TaskMisses::nothing> {
  using Scorer = ::Scorer;
};
static_assert(entrain::task::scorer_contract<Task>());
