# The heads, losses, optimizers and schedules that compositions can use. A project can add its own of the last two.
#
#   entrain_add_optimizer(lion TYPE own::Lion HEADER lion.hpp)                         for OPTIMIZER lion
#   entrain_add_schedule(inverse_root TYPE own::InverseRoot HEADER inverse_root.hpp)   for SCHEDULE inverse_root
#
# TYPE meets entrain/optim/contract.hpp, and HEADER declares it. Types of entrain need no HEADER, as in
# TYPE entrain::optim::Averaged<entrain::optim::AdamW>. A name is known in this directory and in the directories in it.

# entrain's own, as NAME=TYPE=HEADER; the first is the default. HEADER is empty if every trainer includes it. ./dev knows
# these only.
set(ENTRAIN_OPTIMIZERS adamw=optim::AdamW= adam=optim::Adam= sgd=optim::Sgd= CACHE INTERNAL "")
set(ENTRAIN_SCHEDULES usual=optim::Schedule= CACHE INTERNAL "")  # constant, linear or cosine, by --lr-scheduler-type

# The heads of compositions and the losses of a softmax head; the first of each is the default.
set(ENTRAIN_HEADS softmax crf CACHE INTERNAL "")
set(ENTRAIN_LOSSES cross_entropy smoothed focal CACHE INTERNAL "")

function(entrain_add_optimizer name)
  entrain_check_part(entrain_add_optimizer optimizers ${name} ${ARGN})
  set(entrain_optimizers ${entrain_optimizers} "${part}" PARENT_SCOPE)
endfunction()

function(entrain_add_schedule name)
  entrain_check_part(entrain_add_schedule schedules ${name} ${ARGN})
  set(entrain_schedules ${entrain_schedules} "${part}" PARENT_SCOPE)
endfunction()

# Sets `part` of the caller to NAME=TYPE=HEADER. kind: optimizers or schedules.
function(entrain_check_part command kind name)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "TYPE;HEADER" "")
  if(NOT arg_TYPE OR arg_UNPARSED_ARGUMENTS OR NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "entrain: ${command}(${name}): expected a name of small letters, digits and _, then TYPE own::Type "
      "[HEADER its_header.hpp]")
  endif()
  entrain_part_names(${kind} names)
  if(name IN_LIST names)
    list(JOIN names ", " names)
    message(FATAL_ERROR "entrain: ${command}(${name}): expected another name; used are ${names}")
  endif()
  set(header "")
  if(arg_HEADER)
    get_filename_component(header "${arg_HEADER}" ABSOLUTE)
    if(NOT EXISTS "${header}")
      message(FATAL_ERROR "entrain: ${header}: no such file; HEADER names the header with the type ${arg_TYPE}")
    endif()
  endif()
  string(REGEX REPLACE "^::" "" type "${arg_TYPE}")
  set(part "${name}=::${type}=${header}" PARENT_SCOPE)
endfunction()

# The names of all optimizers or schedules, entrain's own first.
function(entrain_part_names kind out)
  string(TOUPPER ${kind} upper)
  set(names ${ENTRAIN_${upper}} ${entrain_${kind}})
  list(TRANSFORM names REPLACE "=.*" "")
  set(${out} ${names} PARENT_SCOPE)
endfunction()

# The type and the header of one of them.
function(entrain_find_part kind name type header)
  string(TOUPPER ${kind} upper)
  foreach(part IN LISTS ENTRAIN_${upper} entrain_${kind})
    if(part MATCHES "^${name}=([^=]*)=(.*)$")
      set(${type} "${CMAKE_MATCH_1}" PARENT_SCOPE)
      set(${header} "${CMAKE_MATCH_2}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# A list for a message: `a, b or c`.
function(entrain_listed list out)
  list(POP_BACK list last)
  list(JOIN list ", " words)
  if(list)
    string(APPEND words " or ")
  endif()
  set(${out} "${words}${last}" PARENT_SCOPE)
endfunction()
