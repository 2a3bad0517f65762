// entrain: this task has no type Labels with 'int count() const', the number of labels that its head
#include "tests/refusals/own_task.hpp"
#if defined(WRONG)
using Task = OwnTask<TaskMisses::labels>;
#else
using Task = OwnTask<TaskMisses::nothing>;
#endif
static_assert(entrain::task::task_contract<Task>());
