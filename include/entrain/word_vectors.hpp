// entrain for word vectors on a CPU: everything that vectors::Trainer needs.
#pragma once
#include "entrain/kernel/negative_sampling/cpu.hpp"
#include "entrain/vectors/trainer.hpp"
