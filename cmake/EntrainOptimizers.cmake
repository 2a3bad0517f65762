# The heads, losses, optimizers and schedules that compositions can use. A project can add its own of the last two.
#
#   entrain_add_optimizer(lion TYPE own::Lion HEADER lion.hpp)                         for OPTIMIZER lion
#   entrain_add_schedule(inverse_root TYPE own::InverseRoot HEADER inverse_root.hpp)   for SCHEDULE inverse_root
#
# TYPE meets entrain/optim/contract.hpp, and HEADER declares it. Types of entrain need no HEADER, as in
# TYPE entrain::optim::Averaged<entrain::optim::AdamW>. A template needs its arguments. A name is known in this directory and in the directories in it.

include("${CMAKE_CURRENT_LIST_DIR}/EntrainArguments.cmake")

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
  set(call "${command}(${name})")
  set(expected "TYPE own::Type [HEADER its_header.hpp]")
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "entrain: ${call}: expected a name of small letters, digits and _, then ${expected}")
  endif()
  entrain_part_names(${kind} names)
  if(name IN_LIST names)
    list(JOIN names ", " names)
    message(FATAL_ERROR "entrain: ${call}: expected another name; used are ${names}")
  endif()
  entrain_check_arguments("${call}" "" "TYPE;HEADER" "${expected}; a type with blanks is quoted" ${ARGN})
  cmake_parse_arguments(arg "" "TYPE;HEADER" "" ${ARGN})
  if(NOT DEFINED arg_TYPE)
    message(FATAL_ERROR "entrain: ${call}: no TYPE: expected ${expected}")
  endif()
  string(REGEX REPLACE "^::" "" type "${arg_TYPE}")
  set(header "")
  if(DEFINED arg_HEADER)
    get_filename_component(header "${arg_HEADER}" ABSOLUTE)
    entrain_check_file("${header}" "HEADER names the header with the type ${arg_TYPE}")
  elseif(NOT type MATCHES "^entrain::")
    message(FATAL_ERROR "entrain: ${call}: TYPE ${arg_TYPE} without HEADER: expected HEADER its_header.hpp; only types of entrain, such as "
      "entrain::optim::AdamW, need none")
  endif()
  entrain_check_type("${call}" "${type}" "${header}")
  set(part "${name}=::${type}=${header}" PARENT_SCOPE)
endfunction()

# Fails for a type that the generated composition cannot name: with brackets that do not match, or a template without its arguments. The
# header that declares it is read as text; of a type of entrain all headers of entrain/optim.
function(entrain_check_type call type header)
  string(REGEX REPLACE "[^<]" "" opened "${type}")
  string(REGEX REPLACE "[^>]" "" closed "${type}")
  string(LENGTH "${opened}" opened)
  string(LENGTH "${closed}" closed)
  if(NOT opened EQUAL closed)
    message(FATAL_ERROR "entrain: ${call}: TYPE ${type}: expected as many > as <")
  endif()
  set(headers "${header}")
  if(NOT header)
    file(GLOB headers "${ENTRAIN_FAMILY_DIR}/../optim/*.hpp")
  endif()
  string(REGEX MATCH "[A-Za-z0-9_]+$" last "${type}")  # none after a >
  foreach(header IN LISTS headers)
    file(READ "${header}" text)
    if(last AND text MATCHES "template *<[^;{}()]*>[ \n]*(struct|class)[ \n]+${last}[^A-Za-z0-9_]")
      message(FATAL_ERROR "entrain: ${call}: TYPE ${type} is a template: expected its arguments too, as in \"${type}<...>\"")
    endif()
  endforeach()
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
