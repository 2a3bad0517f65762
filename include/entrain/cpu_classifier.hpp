// What classifiers of texts need on a CPU in addition to cpu.hpp.
#pragma once
#include "entrain/head/classify.hpp"
#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/pool/cpu.hpp"
#include "entrain/kernel/sigmoid/cpu.hpp"
#include "entrain/layer/dense.hpp"
#include "entrain/model/classifier.hpp"
