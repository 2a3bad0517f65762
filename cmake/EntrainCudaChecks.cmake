# CUDA without a GPU: runs the kernels on the CPU (EntrainCudaOnCpu.cmake), also with a barrier removed; nvcc
# compiles the same kernels for every target, and the machine of tests/ptx executes the PTX (EntrainPtx.cmake).
entrain_check(cuda_on_cpu TIER ci TURN 0 MINUTES 60 BUILD cuda_on_cpu SECONDS 800 COMMAND "${scripts}/check/cuda_on_cpu.sh")
entrain_check(barriers TIER long MINUTES 20 COMMAND "${proofs}/barriers.sh")
entrain_check(gpu_headers TIER ci COMMAND "${scripts}/check/gpu_headers.sh")
entrain_check(toolkit COMMAND "${PROJECT_SOURCE_DIR}/tests/cuda/toolkit_test.sh")
entrain_check(gpu_build TIER ci ONE_CORE COMMAND "${PROJECT_SOURCE_DIR}/tests/cuda/gpu_build_test.sh")
entrain_check(gpu_cases TIER ci ONE_CORE COMMAND "${PROJECT_SOURCE_DIR}/tests/cuda/gpu_cases_test.sh")
if(ENTRAIN_PYTHON3)
  entrain_check(gpu_stages TIER ci ONE_CORE COMMAND "${ENTRAIN_PYTHON3}" "${PROJECT_SOURCE_DIR}/tests/cuda/gpu_stages_test.py")
  entrain_check(bars COMMAND "${proofs}/bars.sh")
endif()
entrain_check(front_door TIER ci ONE_CORE COMMAND "${proofs}/front_door.sh")
entrain_check(launched COMMAND "${proofs}/launched.sh")
# Without nvcc these checks do not run, and ctest reports that.
entrain_check(cuda_targets TIER ci TURN 1 MINUTES 20 SECONDS 250 COMMAND "${scripts}/check/cuda_targets.sh" sm_90)
entrain_check(cuda_targets_older TIER long MINUTES 20 COMMAND "${scripts}/check/cuda_targets.sh" sm_75 sm_80)
entrain_check(cuda_as_ptx TIER long MINUTES 30 COMMAND "${scripts}/check/ptx.sh")
# A GPU has run both trainers and the benches (docs/benchmarks.md), so executing their PTX is in the long tier.
entrain_check(trainers_as_ptx TIER long ONE_CORE PROGRAMS BUILD cuda_on_cpu MINUTES 30
  COMMAND "${scripts}/check/trainers_as_ptx.sh" $<TARGET_FILE:ner_light> $<TARGET_FILE:tiny_bert>)
entrain_check(kernel_costs TIER long ONE_CORE BUILD cuda_on_cpu MINUTES 20 COMMAND "${scripts}/gpu/kernel_costs.sh" --steps 1)
entrain_check(machine_code TIER ci ONE_CORE BUILD cuda_on_cpu MINUTES 10 COMMAND "${scripts}/gpu/machine_code.sh")
entrain_check(cuda_12 TIER long MINUTES 60 COMMAND "${scripts}/check/cuda_12.sh")
entrain_check(cuda_as_ptx_sm75 TIER long MINUTES 30 COMMAND "${scripts}/check/ptx.sh" 75)
entrain_check(cuda_as_ptx_sm80 TIER long MINUTES 30 COMMAND "${scripts}/check/ptx.sh" 80)
