// entrain: this task has no type Gold, the annotations that a reader yields for the sentences of a corpus; see
// docs/extending/head.md.
#include "tests/refusals/own_task.hpp"
#if defined(WRONG)
using Task = OwnTask<TaskMisses::gold>;
#else
using Task = OwnTask<TaskMisses::nothing>;
#endif
static_assert(entrain::task::task_contract<Task>());
