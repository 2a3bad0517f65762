# Programs of entrain are loops that the compiler has to optimise: without -O they are some 30 times as slow.
#
# CMake optimises nothing where CMAKE_BUILD_TYPE is empty. As the top project entrain is then built as Release; in another
# project, whose build type is not entrain's to choose, CMake warns.
#
#   entrain_warn_of_no_optimisation()   a warning where the project that calls compiles without optimisation and did not say so

# Whether nothing asks for an optimisation, and nothing for none: neither a build type nor a flag -O.
function(entrain_build_type_missing out)
  set(${out} FALSE PARENT_SCOPE)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT several AND NOT CMAKE_BUILD_TYPE AND NOT "${CMAKE_CXX_FLAGS}" MATCHES "(^| )-O")
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

function(entrain_warn_of_no_optimisation)
  entrain_build_type_missing(missing)
  get_property(warned GLOBAL PROPERTY ENTRAIN_WARNED_OF_NO_OPTIMISATION)
  if(missing AND NOT warned)
    set_property(GLOBAL PROPERTY ENTRAIN_WARNED_OF_NO_OPTIMISATION TRUE)
    message(WARNING "entrain: CMAKE_BUILD_TYPE is empty, so this project is compiled without optimisation, and programs "
      "that use entrain are some 30 times as slow; configure with -DCMAKE_BUILD_TYPE=Release")
  endif()
endfunction()
