# Makes one shared library with the C interface of entrain/c/predictor.h for one composition: for C, Python, and other
# languages that call C.
#
#   entrain_add_predictor(my-ner CONFIG model/config.json [DEVICE cpu] [PRECISION fp32|fp64] [HEAD softmax|crf])
#   entrain_add_predictor(my-ner HEADER tagger.hpp TRAINER light::Trainer)
#
# CONFIG: of a pretrained encoder's folder, or of a folder that was trained from it; EntrainComposition.cmake explains
# the options. HEADER: your own composition; TRAINER: the trainer's type in it. The library exports only the functions
# of the interface.
include("${CMAKE_CURRENT_LIST_DIR}/EntrainComposition.cmake")
set(ENTRAIN_PREDICTOR_SOURCE "${CMAKE_CURRENT_LIST_DIR}/predictor.cpp.in" CACHE INTERNAL "")
set(ENTRAIN_PREDICTOR_SYMBOLS "${CMAKE_CURRENT_LIST_DIR}/predictor.symbols" CACHE INTERNAL "")

function(entrain_add_predictor name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;TRAINER" "")
  if(arg_HEADER AND arg_TRAINER AND NOT arg_UNPARSED_ARGUMENTS)
    get_filename_component(header "${arg_HEADER}" ABSOLUTE)
    if(NOT EXISTS "${header}")
      message(FATAL_ERROR "entrain: ${header}: no such file; HEADER must name the header that defines ${arg_TRAINER}")
    endif()
    string(REGEX REPLACE "^::" "" trainer "${arg_TRAINER}")
  elseif(arg_HEADER OR arg_TRAINER)
    message(FATAL_ERROR "entrain: ${name}: expected either HEADER tagger.hpp TRAINER its::Trainer, or CONFIG path/config.json")
  else()
    if(";${ARGN};" MATCHES ";PRECISION;(bf16|fp16|tf32);")
      set(chosen ${CMAKE_MATCH_1})
      message(FATAL_ERROR "entrain: ${name}: PRECISION ${chosen}: expected fp32 or fp64; ${chosen} applies to training only, and trained weights are fp32")
    endif()
    if(";${ARGN};" MATCHES ";DEVICE;cuda;")
      message(FATAL_ERROR "entrain: ${name}: DEVICE cuda: expected cpu; a library that is called from C predicts on the CPU")
    endif()
    foreach(keyword LOSS OPTIMIZER SCHEDULE FREEZE RECOMPUTE)
      if(keyword IN_LIST ARGN)
        message(FATAL_ERROR "entrain: ${name}: ${keyword}: it applies to training only; omit it, as a predictor does not train")
      endif()
    endforeach()
    entrain_composition(${name} ${ARGN})
    set(header "${CMAKE_CURRENT_BINARY_DIR}/${name}.hpp")
    set(trainer composition::Trainer)
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  configure_file("${ENTRAIN_PREDICTOR_SOURCE}" "${source}" @ONLY)
  add_library(${name} SHARED "${source}")
  entrain_link_composition(${name})
  target_include_directories(${name} INTERFACE $<TARGET_PROPERTY:entrain::entrain,INTERFACE_INCLUDE_DIRECTORIES>)  # for C
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(NOT APPLE)  # the compiler does not hide templates of the standard library
    target_link_options(${name} PRIVATE "LINKER:--version-script=${ENTRAIN_PREDICTOR_SYMBOLS}")
    set_target_properties(${name} PROPERTIES LINK_DEPENDS "${ENTRAIN_PREDICTOR_SYMBOLS}")
  endif()
endfunction()
