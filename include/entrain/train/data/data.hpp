// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The names in entrain::train of what task/read_tags.hpp declares, for programs that use them.
#pragma once
#include "entrain/task/read_tags.hpp"

namespace entrain::train {

using task::entity_types;
using task::refuse_unread_tags;
using task::scheme_notes;
using task::Tagged;
using task::tagged;
using task::TagOptions;

}  // namespace entrain::train
