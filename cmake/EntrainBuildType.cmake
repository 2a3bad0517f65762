# entrain's inner loops depend on the compiler's optimisation: without -O programs are some 30 times as slow.
#
# CMake does not optimise if CMAKE_BUILD_TYPE is empty. As the top project, entrain is then built as Release; in another
# project, where entrain does not choose the build type, CMake prints a warning.
#
#   entrain_warn_of_no_optimisation()   warns if the calling project does not optimise and does not ask for that

# Whether neither a build type nor a flag -O sets the optimisation level.
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
      "that use entrain are about 30 times slower; configure with -DCMAKE_BUILD_TYPE=Release")
  endif()
endfunction()
