# The source of each library: the installed copy first, otherwise its repository at a full commit id.
#
# The ids are from public dependency lists, for these versions: Eigen 3.4.0, doctest 2.4.11, CLI11 2.3.2, nlohmann-json
# 3.11.2, Google Benchmark 1.8.3. No download was tried, as the machines that build this cannot reach the repositories.
# The mechanism was tested with a local copy of each: -DFETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER
# -DFETCHCONTENT_SOURCE_DIR_<NAME>=<checkout> (tests/consumers/check.sh fetched).
include(FetchContent)
find_package(Threads REQUIRED)
set(CMAKE_POLICY_VERSION_MINIMUM 3.5)  # doctest and CLI11 ask for an older version, which CMake 4 refuses

# name, repository, commit, find_package arguments
function(entrain_dependency name repository commit)
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit} SYSTEM FIND_PACKAGE_ARGS ${ARGN})
endfunction()
entrain_dependency(Eigen3 https://gitlab.com/libeigen/eigen.git 3147391d946bb4b6c68edd901f2add6ac1f31f8c 3.4 NO_MODULE)
entrain_dependency(doctest https://github.com/doctest/doctest.git ae7a13539fb71f270b87eb2e874fbac80bc8dda2 2.4)
entrain_dependency(CLI11 https://github.com/CLIUtils/CLI11.git 291c58789c031208f08f4f261a858b5b7083e8e2 2.1)
entrain_dependency(nlohmann_json https://github.com/nlohmann/json.git bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d 3.11)
entrain_dependency(benchmark https://github.com/google/benchmark.git 344117638c8ff7e239044fd0fa7085839fc03021 1.7)

# Builds only the used parts of each: no tests, no documents.
set(EIGEN_BUILD_TESTING OFF)
set(EIGEN_BUILD_DOC OFF)
set(EIGEN_BUILD_PKGCONFIG OFF)
set(CLI11_BUILD_TESTS OFF)
set(CLI11_BUILD_EXAMPLES OFF)
set(CLI11_BUILD_DOCS OFF)
set(BENCHMARK_ENABLE_TESTING OFF)
set(BENCHMARK_ENABLE_INSTALL OFF)

FetchContent_MakeAvailable(Eigen3)
if(ENTRAIN_BUILD_COMPILED OR ENTRAIN_TESTS OR ENTRAIN_EXAMPLES OR ENTRAIN_BENCHES)
  FetchContent_MakeAvailable(CLI11 nlohmann_json)
else()  # entrain::app needs both, the headers of a program without commands neither
  find_package(CLI11 2.1 QUIET)
  find_package(nlohmann_json 3.11 QUIET)
endif()
add_library(entrain_eigen INTERFACE)
target_link_libraries(entrain_eigen INTERFACE Eigen3::Eigen)
target_compile_definitions(entrain_eigen INTERFACE EIGEN_DONT_PARALLELIZE)
add_library(entrain_cli11 INTERFACE)
target_link_libraries(entrain_cli11 INTERFACE CLI11::CLI11)
add_library(entrain_json INTERFACE)
target_link_libraries(entrain_json INTERFACE nlohmann_json::nlohmann_json)
if(ENTRAIN_TESTS)
  FetchContent_MakeAvailable(doctest)
endif()
