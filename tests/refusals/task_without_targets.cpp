// entrain: this task has no Targets, the values that the loss reads: PerRow<const N> or PerSentence<const N>;
#include "tests/refusals/own_task.hpp"
#if defined(WRONG)
using Task = OwnTask<TaskMisses::targets>;
#else
using Task = OwnTask<TaskMisses::nothing>;
#endif
static_assert(entrain::task::task_contract<Task>());
