# For find_package(entrain) after `cmake --install`: the headers, entrain::native, and the compiled entrain::compiled.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(entrain_package "${CMAKE_INSTALL_LIBDIR}/cmake/entrain")
set_target_properties(entrain_native PROPERTIES EXPORT_NAME native)
install(TARGETS entrain entrain_eigen entrain_native EXPORT entrain FILE_SET HEADERS)
if(TARGET entrain_compiled)
  set_target_properties(entrain_compiled PROPERTIES EXPORT_NAME compiled)
  set_target_properties(entrain_decompress PROPERTIES EXPORT_NAME decompress)
  set_target_properties(entrain_decompress_nothing PROPERTIES EXPORT_NAME decompress_nothing)
  install(TARGETS entrain_compiled entrain_decompress entrain_decompress_nothing EXPORT entrain)
endif()
install(EXPORT entrain NAMESPACE entrain:: FILE entrainTargets.cmake DESTINATION "${entrain_package}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/entrainConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/entrainConfig.cmake" INSTALL_DESTINATION "${entrain_package}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/entrainConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
foreach(file EntrainBuildType.cmake EntrainDecompress.cmake EntrainArguments.cmake EntrainComposition.cmake EntrainFamilies.cmake
    EntrainOptimizers.cmake composition.hpp.in EntrainCuda.cmake EntrainTrainer.cmake trainer.cpp.in EntrainVectors.cmake vectors.hpp.in EntrainPredictor.cmake predictor.cpp.in predictor.symbols)
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/${file}" DESTINATION "${entrain_package}")
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/entrainConfig.cmake" "${PROJECT_BINARY_DIR}/entrainConfigVersion.cmake"
  DESTINATION "${entrain_package}")
