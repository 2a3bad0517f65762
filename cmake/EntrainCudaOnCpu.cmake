# The target cuda_on_cpu: the tests of tests/cuda with their kernels run thread by thread on the CPU, under the
# address and undefined behaviour sanitizers. The preset of that name compiles it with clang, which is the fastest.
file(GLOB kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cuda/*.cu")
file(GLOB harness CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cuda_on_cpu/*_test.cpp")
file(GLOB oracles CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cuda/*_test.cpp")
set_source_files_properties(${kernels} PROPERTIES LANGUAGE CXX)
# -O0, as compiling them takes longer than running them.
set(sanitized -g1 -O0 -fsanitize=address,undefined -fno-sanitize-recover=all)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(APPEND sanitized -fstrict-flex-arrays=3) # otherwise no index is too large for an array that ends a struct
endif()

add_library(cuda_on_cpu_kernels OBJECT EXCLUDE_FROM_ALL ${kernels} ${harness})
target_include_directories(cuda_on_cpu_kernels BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/tests/cuda_on_cpu/shim")
target_include_directories(cuda_on_cpu_kernels PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}")
target_link_libraries(cuda_on_cpu_kernels PRIVATE doctest::doctest entrain_json)  # JSON: for lost_gpu_test, a whole program
target_compile_features(cuda_on_cpu_kernels PRIVATE cxx_std_20)
target_compile_options(cuda_on_cpu_kernels PRIVATE ${sanitized} -Wall -Wextra -Werror)
# Headers that every file includes take most of the time, so several files are compiled as one: those with the same
# trainers, and the others.
set(trainers ${kernels} ${harness})
list(FILTER trainers INCLUDE REGEX "(decoder|graphs|held|lost_gpu|memory|precisions|resident|resume|samples|skipped|trainer)(_test[.]cpp|[.]cu)$")
set(computing ${kernels})
list(REMOVE_ITEM computing ${trainers})
set(around ${harness})
list(REMOVE_ITEM around ${trainers})
set_source_files_properties(${trainers} PROPERTIES UNITY_GROUP trainers)
set_source_files_properties(${computing} PROPERTIES UNITY_GROUP computing)
set_source_files_properties(${around} PROPERTIES UNITY_GROUP around)
set_target_properties(cuda_on_cpu_kernels PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)

# A management library with the driver's interface, for a GPU that reports the values that a test sets.
add_library(pretended_nvml SHARED EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/cuda_on_cpu/pretended_nvml.cpp")
target_compile_definitions(cuda_on_cpu_kernels PRIVATE ENTRAIN_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  "ENTRAIN_PRETENDED_NVML=\"$<TARGET_FILE:pretended_nvml>\"")
add_dependencies(cuda_on_cpu_kernels pretended_nvml)

# The expected values, computed by the kernels of the CPU. EntrainPtx.cmake uses the same.
function(entrain_cuda_oracles name)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${oracles})
  target_link_libraries(${name} PRIVATE doctest::doctest entrain::entrain entrain::native entrain_strict)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE -O1)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE 4)
endfunction()
entrain_cuda_oracles(cuda_oracles)
entrain_cuda_oracles(cuda_oracles_without_bf16)
target_compile_definitions(cuda_oracles_without_bf16 PRIVATE ENTRAIN_TEST_WITHOUT_BF16)

add_executable(cuda_on_cpu EXCLUDE_FROM_ALL $<TARGET_OBJECTS:cuda_oracles> $<TARGET_OBJECTS:cuda_on_cpu_kernels>)
target_link_libraries(cuda_on_cpu PRIVATE entrain_test_main entrain::entrain entrain::native entrain_strict ${CMAKE_DL_LIBS})
target_link_options(cuda_on_cpu PRIVATE -fsanitize=address,undefined -rdynamic)
add_dependencies(cuda_on_cpu pretended_nvml)
