// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The names in entrain::train of what task/tag_targets.hpp declares, for programs that use them.
#pragma once
#include "entrain/task/tag_targets.hpp"
#include "entrain/train/data/data.hpp"

namespace entrain::train {

using task::entities;
using task::set_targets;
using task::take_targets;
using Targets = task::TargetCounts;

}  // namespace entrain::train
