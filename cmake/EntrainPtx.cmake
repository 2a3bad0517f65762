# Runs what nvcc makes of tests/cuda on a machine without a GPU: the objects are linked unchanged, and the machine of
# tests/ptx executes their PTX and replaces the CUDA runtime and cuBLASLt. test_ptx tests that machine itself and
# does not need nvcc.
#
#   cuda_as_ptx_sm90, _sm80, _sm75: the tests for that target
add_library(ptx_machine STATIC EXCLUDE_FROM_ALL ptx/access.cpp ptx/instructions.cpp ptx/machine.cpp ptx/races.cpp ptx/text.cpp)
target_include_directories(ptx_machine PUBLIC "${PROJECT_SOURCE_DIR}")
target_compile_features(ptx_machine PUBLIC cxx_std_20)
target_compile_options(ptx_machine PRIVATE -O3)
target_link_libraries(ptx_machine PRIVATE entrain_strict entrain::native)

add_executable(test_ptx EXCLUDE_FROM_ALL ptx/ptx_test.cpp)  # what the long tier executes; EntrainChecks.cmake runs it in tier ci
target_link_libraries(test_ptx PRIVATE entrain_test_main ptx_machine entrain_strict)
add_test(NAME ptx COMMAND test_ptx WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
if(NOT ENTRAIN_SANITIZE)  # users do not get this machine, so no sanitizer needs to check it
  add_dependencies(modules test_ptx)
  set_tests_properties(ptx PROPERTIES LABELS module)
endif()

execute_process(COMMAND "${PROJECT_SOURCE_DIR}/scripts/gpu/find_nvcc.sh" OUTPUT_VARIABLE nvcc OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT nvcc)
  return()
endif()
# NVIDIA's headers, from the compiler's toolkit.
file(REAL_PATH "${nvcc}" toolkit)
cmake_path(GET toolkit PARENT_PATH toolkit)
add_library(ptx_runtime STATIC EXCLUDE_FROM_ALL ptx/captures.cpp ptx/card.cpp ptx/copies.cpp ptx/errors.cpp ptx/kernels.cpp
  ptx/launches.cpp ptx/products.cpp ptx/properties.cpp ptx/streams.cpp)
target_include_directories(ptx_runtime SYSTEM PRIVATE "${toolkit}/../include")
target_link_libraries(ptx_runtime PUBLIC ptx_machine PRIVATE entrain_strict entrain::native)
target_compile_options(ptx_runtime PRIVATE -O3)

foreach(number 75 80 90)
  set(objects)
  set(lacks)
  set(expects cuda_oracles)
  if(number EQUAL 75)  # this target has no bf16, so its oracles compute none
    set(lacks -DENTRAIN_TEST_WITHOUT_BF16)
    set(expects cuda_oracles_without_bf16)
  endif()
  foreach(source IN LISTS kernels)
    cmake_path(GET source STEM name)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/ptx_sm${number}/${name}.o")
    add_custom_command(OUTPUT "${object}" DEPENDS "${source}" DEPFILE "${object}.d" VERBATIM
      COMMAND "${nvcc}" -std=c++20 "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}" -DENTRAIN_COMPILED -DENTRAIN_TEST_TARGET=Sm${number}
        ${lacks} -diag-suppress 20013,20015 -Xcompiler -Wno-unknown-pragmas -cudart none -no-compress -lineinfo
        -gencode "arch=compute_${number},code=compute_${number}" -MD -MF "${object}.d" -c "${source}" -o "${object}"
      COMMENT "Compiling ${name}.cu to PTX for sm_${number}")
    list(APPEND objects "${object}")
  endforeach()
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/ptx_sm${number}")
  add_executable(cuda_as_ptx_sm${number} EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:${expects}>)
  target_link_libraries(cuda_as_ptx_sm${number} PRIVATE entrain_test_main entrain::entrain entrain::compiled ptx_runtime ${CMAKE_DL_LIBS})
endforeach()

# Whole programs for a GPU: trainers, from their command line to the folder that they write
# (scripts/check/trainers_as_ptx.sh); bench/gpu/finetune.cu, one model per program (scripts/gpu/kernel_costs.sh,
# bench/losses_as_ptx.sh); and finetune_parity.cu (bench/parity.sh). Only PTX is compiled, but for trainers everything
# that a user's compilation makes, so that the check can measure its time.
function(entrain_program_as_ptx name source codes) # FLAGS...
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  add_custom_command(OUTPUT "${object}" DEPENDS "${source}" DEPFILE "${object}.d" VERBATIM
    BYPRODUCTS "${object}.seconds"
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/timed.sh" "${nvcc}" -std=c++20 -O2 -x cu "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}" "-I${CMAKE_CURRENT_BINARY_DIR}"
      -DENTRAIN_COMPILED -DENTRAIN_TARGET=Sm90 ${ARGN} -diag-suppress 20013,20015 -Xcompiler -Wno-unknown-pragmas -cudart none
      -no-compress -lineinfo -gencode "arch=compute_90,code=${codes}" -MD -MF "${object}.d" -c "${source}" -o "${object}"
    COMMENT "Compiling ${name}")
  add_executable(${name} EXCLUDE_FROM_ALL "${object}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE entrain::compiled ptx_runtime ${CMAKE_DL_LIBS})
endfunction()
set(codes "[sm_90,compute_90]")
entrain_program_as_ptx(ner_light_as_ptx "${PROJECT_SOURCE_DIR}/examples/01_first_tagger/main.cu" ${codes}
  "-DENTRAIN_EXAMPLE_DATA=\"${PROJECT_SOURCE_DIR}/examples/data\"")
entrain_composition(tiny_bert_as_ptx CONFIG "${PROJECT_SOURCE_DIR}/tests/train/golden/bert/config.json" DEVICE cuda PRECISION bf16)
set(name tiny_bert_as_ptx)
configure_file("${ENTRAIN_TRAINER_SOURCE}" "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu" @ONLY)
entrain_program_as_ptx(${name} "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu" ${codes})
foreach(model MiniLmL6 BertBase)
  entrain_program_as_ptx(finetune_${model}_as_ptx "${PROJECT_SOURCE_DIR}/bench/gpu/finetune.cu" compute_90 -DENTRAIN_BENCH_MODEL=${model})
endforeach()
entrain_program_as_ptx(finetune_parity_as_ptx "${PROJECT_SOURCE_DIR}/bench/gpu/finetune_parity.cu" compute_90)
