// tests > [ptx]
//
// Where the lanes of an instruction find what they read or write; counted as the memories of a card serve it.
#pragma once
#include "tests/ptx/warp.hpp"

namespace ptx {

/// Of `bytes` each, at from[slot] + offset. Fails where a lane may not go, or where `bytes` are not aligned.
Places places_of(Warp&, const Instruction&, Slot base, std::size_t bytes);
/// Fails where a lane of the warp's mask races with another thread.
void look_for_races(Warp&, const Instruction&, const Places&, std::size_t bytes);

}  // namespace ptx
