// entrain: this task predicts a number for each row and has no 'static void fill_gaps(batch::Gaps::OfSentence,
#include "tests/refusals/own_task.hpp"
#if defined(WRONG)
using Task = OwnTask<TaskMisses::fill_gaps>;
#else
using Task = OwnTask<TaskMisses::nothing>;
#endif
static_assert(entrain::task::task_contract<Task>());
