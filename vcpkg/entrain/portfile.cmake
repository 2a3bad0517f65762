# An overlay port, which builds the repository that it is part of: vcpkg install entrain --overlay-ports=entrain/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    app    ENTRAIN_BUILD_COMPILED
    onednn ENTRAIN_WITH_ONEDNN
    zlib   ENTRAIN_WITH_ZLIB
    zstd   ENTRAIN_WITH_ZSTD
)
if(NOT "app" IN_LIST FEATURES)
  set(VCPKG_BUILD_TYPE release)  # headers only
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DENTRAIN_TESTS=OFF
    -DENTRAIN_EXAMPLES=OFF
    -DENTRAIN_BENCHES=OFF
    -DENTRAIN_INSTALL_CMAKEDIR=share/${PORT}
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup()
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/LICENSES/Unicode-DFS-2016.txt" "${SOURCE_PATH}/LICENSES/Unicode-3.0.txt")
