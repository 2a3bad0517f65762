# Prints what ./dev needs to know of a model folder, one line each: a key that is the same for folders of the same
# extents, and, for a trained folder, whether it was trained from a pretrained encoder, and the head and the precision
# of its program. And what --head, --loss, --optimizer and --schedule may be.
#
#   cmake -DCONFIG=folder/config.json -P cmake/folder_says.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/EntrainFamilies.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/EntrainOptimizers.cmake")
file(READ "${CONFIG}" json)

entrain_field(positions position_embedding_type absolute)
entrain_family_of_config()
set(extents "${model_type} ${positions}")
foreach(field vocabulary positions types width layers heads intermediate eps act)
  string(APPEND extents " ${family_${field}}")
endforeach()
string(SHA256 key "${extents}")
string(SUBSTRING ${key} 0 12 key)

set(pretrained NO)
set(head "")
string(JSON words ERROR_VARIABLE missing GET "${json}" entrain composition)
if(NOT missing)
  entrain_parts_of_words("${words}" pretrained head)
endif()
set(precision "")
string(JSON words ERROR_VARIABLE missing GET "${json}" entrain strings precision)
if(NOT missing)
  entrain_precision_of("${words}" cpu precision)
endif()
foreach(kind optimizers schedules)
  entrain_part_names(${kind} names)
  entrain_listed("${names}" ${kind})
endforeach()
entrain_listed("${ENTRAIN_HEADS}" heads)
entrain_listed("${ENTRAIN_LOSSES}" losses)
foreach(name key pretrained head precision heads losses optimizers schedules)
  message("${name}=${${name}}")
endforeach()
