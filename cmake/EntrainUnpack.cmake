# The libraries that unpack files, each where it is installed: what reads text then reads what gzip and zstd packed.
#
# entrain::zlib   (Debian: zlib1g-dev)     entrain::zstd   (Debian: libzstd-dev)
#
# entrain::parts links what its build found. A program that includes everything by hand links them itself.
find_package(ZLIB QUIET)
if(ZLIB_FOUND AND NOT TARGET entrain::zlib)
  add_library(entrain::zlib INTERFACE IMPORTED GLOBAL)
  target_compile_definitions(entrain::zlib INTERFACE ENTRAIN_ZLIB)
  target_link_libraries(entrain::zlib INTERFACE ZLIB::ZLIB)
endif()
find_library(ENTRAIN_LIBZSTD zstd)
find_path(ENTRAIN_LIBZSTD_INCLUDE zstd.h)
mark_as_advanced(ENTRAIN_LIBZSTD ENTRAIN_LIBZSTD_INCLUDE)
if(ENTRAIN_LIBZSTD AND ENTRAIN_LIBZSTD_INCLUDE AND NOT TARGET entrain::zstd)
  add_library(entrain::zstd INTERFACE IMPORTED GLOBAL)
  target_compile_definitions(entrain::zstd INTERFACE ENTRAIN_ZSTD)
  target_include_directories(entrain::zstd SYSTEM INTERFACE "${ENTRAIN_LIBZSTD_INCLUDE}")
  target_link_libraries(entrain::zstd INTERFACE "${ENTRAIN_LIBZSTD}")
endif()
# Of the two, those that are here.
set(entrain_unpackers "")
foreach(library zlib zstd)
  if(TARGET entrain::${library})
    list(APPEND entrain_unpackers entrain::${library})
  endif()
endforeach()
