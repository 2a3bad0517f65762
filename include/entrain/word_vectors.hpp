// entrain for word vectors on a CPU: the trainer, files, nearest words and analogies.
#pragma once
#include "entrain/kernel/negative_sampling/cpu.hpp"
#include "entrain/vectors/files.hpp"
#include "entrain/vectors/nearest.hpp"
#include "entrain/vectors/trainer.hpp"
