# Programs for an NVIDIA GPU, compiled by nvcc if it is installed. The rest of a build does not need CUDA.
#
#   entrain_add_cuda_program(my-ner main.cu [TARGET Sm75|Sm80|Sm90])
#
# TARGET: of device/target.hpp; without it ENTRAIN_CUDA_TARGET, and without that the newest that this machine's GPU can
# run (nvidia-smi), or Sm90. The program sees it as ENTRAIN_TARGET, and also runs on newer GPUs.
#
#   entrain_find_cuda()   makes entrain::cuda, the headers and libraries of a program for a GPU, if the toolkit is found;
#                         the program is an object of nvcc or a source of CMake's language CUDA
set(ENTRAIN_CUDA_TARGET "" CACHE STRING "Sm75, Sm80 or Sm90: the GPUs that programs are compiled for; empty: this machine's")

# The toolkit is the one that scripts/gpu/find_nvcc.sh finds, as in the checks. If its nvcc is only a link or wrapper
# outside the toolkit's folder, or if entrain is installed, CMake searches for the toolkit.
get_filename_component(entrain_find_nvcc "${CMAKE_CURRENT_LIST_DIR}/../scripts/gpu/find_nvcc.sh" ABSOLUTE)
if(NOT CUDAToolkit_ROOT AND EXISTS "${entrain_find_nvcc}")
  execute_process(COMMAND "${entrain_find_nvcc}" OUTPUT_VARIABLE entrain_nvcc OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(entrain_toolkit "${entrain_nvcc}" DIRECTORY)
  if(EXISTS "${entrain_toolkit}/nvcc.profile")
    get_filename_component(CUDAToolkit_ROOT "${entrain_toolkit}" DIRECTORY)
  endif()
endif()

# The target for this machine, set as the variable ${out} of the caller.
function(entrain_cuda_target out)
  set(target "${ENTRAIN_CUDA_TARGET}")
  if(NOT target)
    set(target Sm90)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND found MATCHES "^([0-9]+)\\.([0-9])")
      set(number ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
      if(number LESS 80)
        set(target Sm75)
      elseif(number LESS 90 OR number GREATER_EQUAL 120)  # 12.x has the shared memory of 8.9
        set(target Sm80)
      endif()
    endif()
  endif()
  if(NOT target MATCHES "^Sm(75|80|90)$")
    message(FATAL_ERROR "entrain: ENTRAIN_CUDA_TARGET ${target}: expected Sm75, Sm80 or Sm90")
  endif()
  set(${out} ${target} PARENT_SCOPE)
endfunction()

function(entrain_find_cuda)
  find_package(CUDAToolkit 12.4 QUIET)
  if(NOT CUDAToolkit_FOUND OR NOT TARGET CUDA::cublasLt OR TARGET entrain::cuda)
    return()
  endif()
  add_library(entrain::cuda INTERFACE IMPORTED GLOBAL)
  # Files, as the targets of FindCUDAToolkit exist only in the folders that call it.
  foreach(library cudart cublasLt)
    get_target_property(file CUDA::${library} IMPORTED_LOCATION)
    target_link_libraries(entrain::cuda INTERFACE "${file}")
  endforeach()
  target_include_directories(entrain::cuda SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(entrain::cuda INTERFACE entrain::entrain ${CMAKE_DL_LIBS})
  # The same options as below. CMake 3.25 knows CUDA20 of nvcc from 12.0.
  target_compile_options(entrain::cuda INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-std=c++20 -diag-suppress 20013,20015 -Xcompiler -Wno-unknown-pragmas>")
endfunction()

function(entrain_add_cuda_program name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TARGET" "")
  find_package(CUDAToolkit QUIET)
  if(NOT CUDAToolkit_FOUND)
    message(FATAL_ERROR "entrain: ${name}: the CUDA toolkit was not found: install it (12.4 or newer), or train on the CPU with DEVICE cpu")
  endif()
  if(NOT TARGET entrain::compiled)
    message(FATAL_ERROR "entrain: ${name}: this entrain was installed without its compiled code, which a program for a GPU needs; install it with -DENTRAIN_BUILD_COMPILED=ON")
  endif()
  if(arg_TARGET)
    set(ENTRAIN_CUDA_TARGET ${arg_TARGET})
  endif()
  entrain_cuda_target(target)
  string(SUBSTRING ${target} 2 2 number)
  get_filename_component(source "${source}" ABSOLUTE)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu.o")
  get_filename_component(include "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include" ABSOLUTE)
  if(NOT EXISTS "${include}/entrain")  # installed: cmake/ is elsewhere
    get_target_property(include entrain::entrain INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  # 20013, 20015: warnings on constexpr functions of the standard library, which the device may call too.
  add_custom_command(OUTPUT "${object}" DEPENDS "${source}" DEPFILE "${object}.d" VERBATIM
    COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" -std=c++20 -O2 -x cu -diag-suppress 20013,20015 -Xcompiler -Wno-unknown-pragmas
      -gencode "arch=compute_${number},code=[sm_${number},compute_${number}]" "-I${include}" "-I${CMAKE_CURRENT_BINARY_DIR}"
      -DENTRAIN_COMPILED -DENTRAIN_TARGET=${target} "$<$<BOOL:${ENTRAIN_EXAMPLE_DATA}>:-DENTRAIN_EXAMPLE_DATA=\"${ENTRAIN_EXAMPLE_DATA}\">"
      -MD -MF "${object}.d" -c "${source}" -o "${object}"
    COMMAND_EXPAND_LISTS COMMENT "Compiling ${name} for ${target}")
  add_executable(${name} "${object}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE entrain::compiled CUDA::cudart CUDA::cublasLt ${CMAKE_DL_LIBS})
endfunction()
