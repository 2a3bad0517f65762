// What pretrained encoders need on a CPU in addition to cpu.hpp.
#pragma once
#include "entrain/embed/bert.hpp"
#include "entrain/encode/post_norm.hpp"
#include "entrain/head/with_dropout.hpp"
#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/attention/cpu.hpp"
#include "entrain/kernel/gated/cpu.hpp"
#include "entrain/kernel/gemm/fast.hpp"
#include "entrain/kernel/piece_embed/cpu.hpp"
#include "entrain/kernel/residual_norm/cpu.hpp"
#include "entrain/kernel/rotary/cpu.hpp"
#include "entrain/layer/stack.hpp"
#include "entrain/model/bert.hpp"
