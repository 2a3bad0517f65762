// entrain: this task has no Prediction, the values that decoding writes: PerRow<N> or PerSentence<N>; see
#include "tests/refusals/own_task.hpp"
#if defined(WRONG)
using Task = OwnTask<TaskMisses::prediction>;
#else
using Task = OwnTask<TaskMisses::nothing>;
#endif
static_assert(entrain::task::task_contract<Task>());
