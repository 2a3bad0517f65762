# Makes a trainer for a pretrained encoder from the config.json of its folder, without any C++.
#
#   entrain_add_trainer(my-ner CONFIG all-MiniLM-L6-v2/config.json [TASK ner|classify] [POOLING pooler|first|mean|max] [DEVICE cpu|cuda] [PRECISION fp32|bf16|fp64|tf32|fp16] [HEAD softmax|crf]
#                       [LOSS cross_entropy|smoothed|focal] [OPTIMIZER adamw|adam|sgd] [SCHEDULE usual] [FREEZE embedding|K|all]
#                       [LABEL_ALL_TOKENS] [RECOMPUTE] [RESIDENT])
#
# EntrainComposition.cmake explains the options.
include("${CMAKE_CURRENT_LIST_DIR}/EntrainComposition.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/EntrainCuda.cmake")
set(ENTRAIN_TRAINER_SOURCE "${CMAKE_CURRENT_LIST_DIR}/trainer.cpp.in" CACHE INTERNAL "")

function(entrain_add_trainer name)
  entrain_composition(${name} ${ARGN})
  if(device STREQUAL "cuda")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cu")
    configure_file("${ENTRAIN_TRAINER_SOURCE}" "${source}" @ONLY)
    entrain_add_cuda_program(${name} "${source}")
    return()
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  configure_file("${ENTRAIN_TRAINER_SOURCE}" "${source}" @ONLY)
  add_executable(${name} "${source}")
  entrain_link_composition(${name})
  if(TARGET entrain::onednn)  # not for a predictor, which multiplies by PanelGemm
    target_link_libraries(${name} PRIVATE entrain::onednn)
  endif()
endfunction()
