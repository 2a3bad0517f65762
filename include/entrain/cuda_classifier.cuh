// What classifiers of texts need on a GPU in addition to cuda.cuh.
#pragma once
#include "entrain/head/classify.hpp"
#include "entrain/kernel/activation/cuda.cuh"
#include "entrain/kernel/pool/cuda.cuh"
#include "entrain/kernel/sigmoid/cuda.cuh"
#include "entrain/layer/dense.hpp"
#include "entrain/model/classifier.hpp"
