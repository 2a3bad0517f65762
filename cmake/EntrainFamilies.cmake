# The families of pretrained encoders that compositions can use. The C++ header of a family describes it, and nothing
# else does (entrain/family/contract.hpp): entrain/family/all.hpp includes entrain's families, and a project can add its
# own.
#
#   entrain_add_family(my_family.hpp)     adds a header with one family, written like entrain/family/bert.hpp, for
#                                         compositions of this directory and of those in it
include("${CMAKE_CURRENT_LIST_DIR}/EntrainArguments.cmake")
if(NOT ENTRAIN_FAMILY_DIR)  # an installed package sets the place of its headers
  get_filename_component(family_dir "${CMAKE_CURRENT_LIST_DIR}/../include/entrain/family" ABSOLUTE)
  set(ENTRAIN_FAMILY_DIR "${family_dir}" CACHE INTERNAL "")
endif()

function(entrain_add_family header)
  if(ARGN)
    list(GET ARGN 0 second)
    message(FATAL_ERROR "entrain: entrain_add_family(${header} ...): unknown argument ${second}: expected the header of one family; call "
      "entrain_add_family once for each")
  endif()
  get_filename_component(header "${header}" ABSOLUTE)
  entrain_check_file("${header}" "entrain_add_family must name the header of a family")
  entrain_read_family("${header}")  # fails now for a header that cannot be read
  set(entrain_families ${entrain_families} "${header}" PARENT_SCOPE)
endfunction()

# The headers of all families: entrain's own, then the project's.
function(entrain_family_headers out)
  file(STRINGS "${ENTRAIN_FAMILY_DIR}/all.hpp" includes REGEX "^#include \"entrain/family/.*[.]hpp\"")
  set(headers "")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE ".*/([a-z0-9_]+[.]hpp)\".*" "\\1" header "${line}")
    if(NOT header STREQUAL contract.hpp)
      list(APPEND headers "${ENTRAIN_FAMILY_DIR}/${header}")
    endif()
  endforeach()
  set(${out} ${headers} ${entrain_families} PARENT_SCOPE)
endfunction()

# What a family's header states, set as variables of the caller: family_model_type, family_type, family_embedding, and
# for each field of family::Keys family_FIELD_key and family_FIELD_otherwise; for the field `embedding`, which a header may
# leave out, family_columns_key and family_columns_otherwise.
function(entrain_read_family header)
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  endif()
  file(READ "${header}" text)
  foreach(member model_type type embedding)
    if(NOT text MATCHES "std::string_view ${member} = \"([^\"]+)\"")
      message(FATAL_ERROR "entrain: ${header}: no 'static constexpr std::string_view ${member} = \"...\"': expected a family such as the one in entrain/family/bert.hpp")
    endif()
    set(family_${member} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endforeach()
  foreach(field vocabulary positions types width layers heads intermediate eps act)
    if(NOT text MATCHES "[.]${field} = {[ \n]*\"([A-Za-z0-9_]*)\",[ \n]*\"?([^\" \n}]+)\"?[ \n]*}")
      message(FATAL_ERROR "entrain: ${header}: no '.${field} = {\"key\", value}': expected a family such as the one in entrain/family/bert.hpp")
    endif()
    set(family_${field}_key "${CMAKE_MATCH_1}" PARENT_SCOPE)
    set(family_${field}_otherwise "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
  set(family_columns_key "" PARENT_SCOPE)
  set(family_columns_otherwise "" PARENT_SCOPE)
  if(text MATCHES "[.]embedding = {[ \n]*\"([A-Za-z0-9_]+)\",[ \n]*([0-9]+)[ \n]*}")
    set(family_columns_key "${CMAKE_MATCH_1}" PARENT_SCOPE)
    set(family_columns_otherwise "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endif()
endfunction()

# The value of a key of ${json}, or `otherwise` if it is missing or there is no key.
function(entrain_field out key otherwise)
  set(missing yes)
  if(NOT key STREQUAL "")
    string(JSON value ERROR_VARIABLE missing GET "${json}" ${key})
  endif()
  if(missing)
    set(value ${otherwise})
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# The family of ${json}, set as variables of the caller: family_header, family_type, and for each field of family::Keys
# family_FIELD, its value, and family_FIELD_key. family_header is empty if no family has the model_type; model_types
# lists the known ones.
function(entrain_family_of_config)
  entrain_family_headers(headers)
  set(model_types "")
  set(found "")
  foreach(header IN LISTS headers)
    entrain_read_family("${header}")
    if(NOT model_types)
      entrain_field(model_type model_type ${family_model_type})  # the first is used for a config.json without model_type
    endif()
    list(APPEND model_types ${family_model_type})
    if(NOT found AND family_model_type STREQUAL model_type)
      set(found "${header}")
    endif()
  endforeach()
  set(family_header "${found}" PARENT_SCOPE)
  set(model_types "${model_types}" PARENT_SCOPE)
  set(model_type "${model_type}" PARENT_SCOPE)
  if(found)
    entrain_read_family("${found}")
    set(family_type "${family_type}" PARENT_SCOPE)
    foreach(field vocabulary positions types width layers heads intermediate eps act columns)
      entrain_field(value "${family_${field}_key}" "${family_${field}_otherwise}")
      set(family_${field} "${value}" PARENT_SCOPE)
      set(family_${field}_key "${family_${field}_key}" PARENT_SCOPE)
    endforeach()
  endif()
endfunction()

# Whether a composition's words, as in `entrain` of config.json, are of a pretrained encoder: its embedding is that of a
# family. Also sets the name of its head in lower case, as HEAD has it: Tagger<E, N, Dropped<Crf<16, Bio>>> has crf.
function(entrain_parts_of_words words is_pretrained head)
  entrain_family_headers(headers)
  set(${is_pretrained} NO PARENT_SCOPE)
  set(${head} "" PARENT_SCOPE)
  if(words MATCHES "([A-Za-z0-9_]+)<[^<>]*>+$")
    string(TOLOWER "${CMAKE_MATCH_1}" name)
    set(${head} "${name}" PARENT_SCOPE)
  endif()
  if(words MATCHES "^(Tagger|Classifier)<([A-Za-z0-9_]+)")
    set(embedding "${CMAKE_MATCH_2}")
    foreach(header IN LISTS headers)
      entrain_read_family("${header}")
      if(family_embedding STREQUAL embedding)
        set(${is_pretrained} YES PARENT_SCOPE)
      endif()
    endforeach()
  endif()
endfunction()

# The TASK and POOLING of a model's words. Empty for a POOLING that entrain_composition does not make.
function(entrain_task_of_words words task pooling)
  set(${task} ner PARENT_SCOPE)
  set(${pooling} "" PARENT_SCOPE)
  if(words MATCHES "^Classifier<")
    set(${task} classify PARENT_SCOPE)
    if(words MATCHES "Classification<ManyOf<")
      set(${task} multi_label PARENT_SCOPE)
    endif()
    if(words MATCHES ", First, Sequence<(Dropout<[0-9]+>, )?Dense<")
      set(${pooling} pooler PARENT_SCOPE)
    elseif(words MATCHES ", (First|Mean|Max), Dropout<")
      string(TOLOWER ${CMAKE_MATCH_1} name)
      set(${pooling} ${name} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The PRECISION that opens a model, from the precision that its trainer used, as config.json names it
# (app::precision_of): fp64, or fp32, in which all others are stored; for a CPU that trained with products in
# bf16, bf16. Empty for other words.
function(entrain_precision_of words device out)
  set(${out} "" PARENT_SCOPE)
  if(words STREQUAL fp64)
    set(${out} fp64 PARENT_SCOPE)
  elseif(words MATCHES "^fp32, products in bf16" AND NOT device STREQUAL cuda)
    set(${out} bf16 PARENT_SCOPE)
  elseif(words MATCHES "^(fp32|tf32|bf16-mixed|fp16-mixed)(, products in [a-z0-9]+.*)?$")
    set(${out} fp32 PARENT_SCOPE)
  endif()
endfunction()
