# The libraries that decompress files, if they are installed: readers of text then also read files of gzip and zstd.
#
# entrain::zlib   (Debian: zlib1g-dev)     entrain::zstd   (Debian: libzstd-dev)
#
# entrain::compiled links those that its build found. A program that includes all headers itself must link them itself.
if(ENTRAIN_WITH_ZLIB)
  find_package(ZLIB QUIET)
endif()
if(ENTRAIN_WITH_ZLIB AND ZLIB_FOUND AND NOT TARGET entrain::zlib)
  add_library(entrain::zlib INTERFACE IMPORTED GLOBAL)
  target_compile_definitions(entrain::zlib INTERFACE ENTRAIN_ZLIB)
  target_link_libraries(entrain::zlib INTERFACE ZLIB::ZLIB)
endif()
find_library(ENTRAIN_LIBZSTD zstd)
find_path(ENTRAIN_LIBZSTD_INCLUDE zstd.h)
mark_as_advanced(ENTRAIN_LIBZSTD ENTRAIN_LIBZSTD_INCLUDE)
if(ENTRAIN_WITH_ZSTD AND ENTRAIN_LIBZSTD AND ENTRAIN_LIBZSTD_INCLUDE AND NOT TARGET entrain::zstd)
  add_library(entrain::zstd INTERFACE IMPORTED GLOBAL)
  target_compile_definitions(entrain::zstd INTERFACE ENTRAIN_ZSTD)
  target_include_directories(entrain::zstd SYSTEM INTERFACE "${ENTRAIN_LIBZSTD_INCLUDE}")
  target_link_libraries(entrain::zstd INTERFACE "${ENTRAIN_LIBZSTD}")
endif()
# Those of the two that were found.
set(entrain_decompressors "")
foreach(library zlib zstd)
  if(TARGET entrain::${library})
    list(APPEND entrain_decompressors entrain::${library})
  endif()
endforeach()
