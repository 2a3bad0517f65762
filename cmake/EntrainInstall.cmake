# What `cmake --install` installs: the headers, entrain::compiled, and the files by which CMake (find_package), pkg-config and readers of the
# Common Package Specification find them. No file holds the prefix, so that an installed tree can be moved. The target `uninstall` removes
# what the last installations from this build folder installed.
#
# ENTRAIN_INSTALL_CMAKEDIR: the folder of the files for CMake; package managers set it.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(ENTRAIN_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/entrain" CACHE STRING "The folder of the files for find_package, relative to the prefix")
mark_as_advanced(ENTRAIN_INSTALL_CMAKEDIR)
set(entrain_package "${ENTRAIN_INSTALL_CMAKEDIR}")
set_target_properties(entrain_native PROPERTIES EXPORT_NAME native)
install(TARGETS entrain entrain_eigen entrain_native EXPORT entrain FILE_SET HEADERS)
if(TARGET entrain_compiled)
  set_target_properties(entrain_compiled PROPERTIES EXPORT_NAME compiled)
  set_target_properties(entrain_decompress PROPERTIES EXPORT_NAME decompress)
  set_target_properties(entrain_decompress_nothing PROPERTIES EXPORT_NAME decompress_nothing)
  install(TARGETS entrain_compiled entrain_decompress entrain_decompress_nothing EXPORT entrain)
endif()
install(EXPORT entrain NAMESPACE entrain:: FILE entrainTargets.cmake DESTINATION "${entrain_package}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/entrainConfig.cmake.in" "${PROJECT_BINARY_DIR}/entrainConfig.cmake" @ONLY)
# The functions find the headers from their own folder.
file(RELATIVE_PATH entrain_include_from_package "/${entrain_package}" "/${CMAKE_INSTALL_INCLUDEDIR}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/EntrainFunctions.cmake.in" "${PROJECT_BINARY_DIR}/EntrainFunctions.cmake" @ONLY)
set(entrain_compatible SameMajorVersion)
set(entrain_any_processor "")
if(PROJECT_VERSION_MAJOR EQUAL 0)  # a minor version may change the interface
  set(entrain_compatible SameMinorVersion)
endif()
if(NOT TARGET entrain_compiled)
  set(entrain_any_processor ARCH_INDEPENDENT)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/entrainConfigVersion.cmake" COMPATIBILITY ${entrain_compatible} ${entrain_any_processor})
foreach(file EntrainBuildType.cmake EntrainOneDnn.cmake EntrainDecompress.cmake EntrainArguments.cmake EntrainComposition.cmake EntrainFamilies.cmake
    EntrainOptimizers.cmake composition.hpp.in EntrainCuda.cmake EntrainTrainer.cmake trainer.cpp.in EntrainVectors.cmake vectors.hpp.in EntrainPredictor.cmake predictor.cpp.in predictor.symbols)
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/${file}" DESTINATION "${entrain_package}")
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/entrainConfig.cmake" "${PROJECT_BINARY_DIR}/entrainConfigVersion.cmake"
  "${PROJECT_BINARY_DIR}/EntrainFunctions.cmake" DESTINATION "${entrain_package}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/LICENSES/Unicode-DFS-2016.txt"
  "${PROJECT_SOURCE_DIR}/LICENSES/Unicode-3.0.txt" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# pkg-config: entrain is the headers, entrain-compiled also the library.
set(entrain_pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH entrain_prefix_from_pkgconfig "/${entrain_pkgconfig}" "/")
string(REGEX REPLACE "/$" "" entrain_prefix_from_pkgconfig "${entrain_prefix_from_pkgconfig}")
set(entrain_pc_files entrain)
if(TARGET entrain_compiled)
  list(APPEND entrain_pc_files entrain-compiled)
  set(entrain_pc_requires "")
  foreach(library IN LISTS entrain_decompressors)
    string(REPLACE entrain::zstd libzstd library "${library}")
    string(REPLACE entrain::zlib zlib library "${library}")
    string(APPEND entrain_pc_requires " ${library}")
  endforeach()
endif()
foreach(file IN LISTS entrain_pc_files)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${file}.pc.in" "${PROJECT_BINARY_DIR}/${file}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${file}.pc" DESTINATION "${entrain_pkgconfig}")
endforeach()

# The Common Package Specification, for tools other than CMake: the headers. CMake writes such files from 4.3. The package has a name of its
# own, as find_package(entrain) would otherwise read this file in place of entrainConfig.cmake, which has the components and the functions.
if(CMAKE_VERSION VERSION_GREATER_EQUAL 4.3)
  add_library(entrain_headers INTERFACE)
  set_target_properties(entrain_headers PROPERTIES EXPORT_NAME headers)
  target_compile_features(entrain_headers INTERFACE cxx_std_20)
  target_include_directories(entrain_headers INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_definitions(entrain_headers INTERFACE EIGEN_DONT_PARALLELIZE)
  target_link_options(entrain_headers INTERFACE -pthread)  # Threads::Threads is no package
  target_link_libraries(entrain_headers INTERFACE Eigen3::Eigen)
  install(TARGETS entrain_headers EXPORT entrain_headers)
  install(PACKAGE_INFO entrain-headers EXPORT entrain_headers VERSION ${PROJECT_VERSION} COMPAT_VERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.0
    VERSION_SCHEMA simple LICENSE "MIT AND Unicode-DFS-2016 AND Unicode-3.0" DEFAULT_TARGETS headers)
endif()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}" -D "BUILD=${PROJECT_BINARY_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake"
    COMMENT "Removing the installed files" VERBATIM)
endif()
