# Runs the portfile of vcpkg/entrain without vcpkg: the functions below do what those of vcpkg's ports vcpkg-cmake and vcpkg-cmake-config do
# for one build type.
#
#   cmake -D PORT_DIR=vcpkg/entrain -D FEATURES=app,zlib -D BUILD=folder -D PACKAGE=folder [-D OPTIONS=-DA=B,-DC=D] \
#         [-D LIBRARIES=folder] -P tests/consumers/vcpkg/port.cmake
#
# LIBRARIES: a folder with the static libraries of another build of the same sources, so that they are not compiled again.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" FEATURES "${FEATURES}")
string(REPLACE "," ";" OPTIONS "${OPTIONS}")
set(PORT entrain)
set(CURRENT_PORT_DIR "${PORT_DIR}")
set(CURRENT_PACKAGES_DIR "${PACKAGE}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_check_features)
  cmake_parse_arguments(arg "" "OUT_FEATURE_OPTIONS" "FEATURES" ${ARGN})
  set(options "")
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature option)
    if(feature IN_LIST FEATURES)
      list(APPEND options "-D${option}=ON")
    else()
      list(APPEND options "-D${option}=OFF")
    endif()
  endwhile()
  set(${arg_OUT_FEATURE_OPTIONS} "${options}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(arg "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  run("${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${BUILD}" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}"
    -DCMAKE_INSTALL_LIBDIR:STRING=lib -DFETCHCONTENT_FULLY_DISCONNECTED=ON ${arg_OPTIONS} ${OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  if(LIBRARIES)
    file(GLOB libraries "${LIBRARIES}/libentrain_*.a")
    file(COPY ${libraries} DESTINATION "${BUILD}")
    run("${CMAKE_COMMAND}" --install "${BUILD}")
  else()
    run("${CMAKE_COMMAND}" --build "${BUILD}" --target install)
  endif()
endfunction()

function(vcpkg_cmake_config_fixup)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/share/${PORT}/${PORT}Config.cmake")
    message(FATAL_ERROR "share/${PORT}/${PORT}Config.cmake: no such file in the package")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB files "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc")
  if(NOT files)
    message(FATAL_ERROR "lib/pkgconfig/*.pc: no such file in the package")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGN})
  set(text "")
  foreach(file IN LISTS arg_FILE_LIST)
    file(READ "${file}" one)
    get_filename_component(name "${file}" NAME)
    string(APPEND text "${name}:\n\n${one}\n")
  endforeach()
  file(WRITE "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" "${text}")
endfunction()

include("${PORT_DIR}/portfile.cmake")
