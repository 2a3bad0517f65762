# Makes the trainer of the light tagger that also reads word vectors, without any C++.
#
#   entrain_add_vectors_trainer(my-ner ROWS 50000 WIDTH 100 [TRAINED])
#
# ROWS: one more than the words that may have a vector. WIDTH: numbers of a vector, those of the file that the program's
# option --vectors names. TRAINED: training changes the vectors (embed::TrainedVectors).
include("${CMAKE_CURRENT_LIST_DIR}/EntrainTrainer.cmake")
set(ENTRAIN_VECTORS_SOURCE "${CMAKE_CURRENT_LIST_DIR}/vectors.hpp.in" CACHE INTERNAL "")

function(entrain_add_vectors_trainer name)
  set(keywords ROWS WIDTH)
  entrain_check_arguments(${name} TRAINED "${keywords}" "ROWS 50000 WIDTH 100 [TRAINED]" ${ARGN})
  cmake_parse_arguments(arg TRAINED "${keywords}" "" ${ARGN})
  foreach(keyword IN LISTS keywords)
    if(NOT "${arg_${keyword}}" MATCHES "^[1-9][0-9]*$")
      message(FATAL_ERROR "entrain: ${name}: ${keyword} '${arg_${keyword}}': expected a whole number above 0")
    endif()
  endforeach()
  set(vectors StaticVectors)
  if(arg_TRAINED)
    set(vectors TrainedVectors)
  endif()
  set(program ner)
  configure_file("${ENTRAIN_VECTORS_SOURCE}" "${CMAKE_CURRENT_BINARY_DIR}/${name}.hpp" @ONLY)
  configure_file("${ENTRAIN_TRAINER_SOURCE}" "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" @ONLY)
  add_executable(${name} "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  entrain_link_composition(${name})
endfunction()
