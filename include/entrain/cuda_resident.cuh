// What a trainer needs in addition to cuda.cuh if its corpus is in the GPU's memory (batch::Resident). Includes CUB.
#pragma once
#include "entrain/batch/transfer/resident.cuh"
