// entrain for word vectors on an NVIDIA GPU: everything that vectors::Trainer on device::Cuda needs. A program includes
// this header or word_vectors.hpp, not both, and is compiled by nvcc.
#pragma once
#include "entrain/kernel/negative_sampling/cuda.cuh"
#include "entrain/vectors/files.hpp"
#include "entrain/vectors/nearest.hpp"
#include "entrain/vectors/trainer.hpp"
