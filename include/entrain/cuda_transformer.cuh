// What pretrained encoders need on an NVIDIA GPU in addition to cuda.cuh.
#pragma once
#include "entrain/embed/bert.hpp"
#include "entrain/encode/post_norm.hpp"
#include "entrain/head/with_dropout.hpp"
#include "entrain/kernel/activation/cuda.cuh"
#include "entrain/kernel/attention/cuda.cuh"
#include "entrain/kernel/gated/cuda.cuh"
#include "entrain/kernel/piece_embed/cuda.cuh"
#include "entrain/kernel/residual_norm/cuda.cuh"
#include "entrain/kernel/rotary/cuda.cuh"
#include "entrain/layer/stack.hpp"
#include "entrain/model/bert.hpp"
