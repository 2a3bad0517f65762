// What a trainer whose corpus lies in the GPU's memory (batch::Resident) needs besides cuda.cuh. CUB comes with it.
#pragma once
#include "entrain/batch/resident.cuh"
