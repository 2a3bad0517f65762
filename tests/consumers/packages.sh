#!/usr/bin/env bash
# entrain as a package of Conan and of vcpkg. Conan is the real one, without a remote: its requirements are recipes that wrap the libraries of
# the system (conan/home.sh). vcpkg is not run: vcpkg/port.cmake calls the portfile with functions of its own.
#
#   tests/consumers/packages.sh [conan|vcpkg|cps ...]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/tests/consumers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "packages: $*"; exit 1; }
quietly() { "$@" >"$work/said" 2>&1 || { tail -n 25 "$work/said"; stop "failed: $*"; }; }
tools=$("$here/tools.sh") || "$root/scripts/not_checked.sh" packages "the programs of tests/consumers/requirements.txt could not be installed"
package= # the folder of Conan's package with the libraries
version=$(sed -n 's/.*version = "\([0-9.]*\)".*/\1/p' "$root/include/entrain/core/version.hpp")
quick=(-DENTRAIN_TESTS=OFF -DENTRAIN_EXAMPLES=OFF -DENTRAIN_BENCHES=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_BUILD_TYPE=Release)
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}

# same_as_installed OPTION PACKAGE: the files of a package of Conan are those of `cmake --install`, but for the named ones.
same_as_installed() {
  local build=$work/as-installed prefix=$work/as-installed-prefix library
  rm -rf "$build" "$prefix"
  quietly cmake -G Ninja -S "$root" -B "$build" "${quick[@]}" "$1" -DCMAKE_INSTALL_LIBDIR=lib
  for library in compiled decompress decompress_nothing; do touch "$build/libentrain_$library.a"; done # compared by name: not compiled twice
  quietly cmake --install "$build" --prefix "$prefix"
  # Conan writes its own files for find_package and pkg-config, two files about the package, and has a place for the licence.
  (cd "$prefix" && rm -r lib/pkgconfig lib/cmake/entrain/entrainConfig.cmake lib/cmake/entrain/entrainConfigVersion.cmake lib/cmake/entrain/entrainTargets*.cmake)
  mv "$prefix/share/doc/entrain" "$prefix/licenses"
  rm -r "$prefix/share"
  diff -r --exclude=conaninfo.txt --exclude=conanmanifest.txt --exclude='*.a' "$prefix" "$2" >"$work/said" || { head -n 20 "$work/said"; stop "the package differs from cmake --install $1"; }
  diff <(cd "$prefix" && find . -name '*.a' | sort) <(cd "$2" && find . -name '*.a' | sort) >"$work/said" || { cat "$work/said"; stop "the package has other libraries than cmake --install $1"; }
  echo "packages: conan: $(find "$2" -type f | wc -l) files, those of cmake --install with $1"
}

# package_of OPTIONS ...: creates the package from the recipe $recipe, its test_package included, and sets `package` to its folder
package_of() {
  quietly conan create "$recipe" -s compiler.cppstd=20 --build=missing --format=json --out-file "$work/graph.json" \
    -c 'tools.cmake.cmaketoolchain:extra_variables={"CMAKE_CXX_FLAGS_RELEASE": "-O0", "CMAKE_UNITY_BUILD": "ON"}' "$@"
  grep -qE "^entrain $version: [0-9]+ parameters$" "$work/said" || { tail -n 25 "$work/said"; stop "the test_package printed no number of parameters"; }
  package=$(python3 - "$work/graph.json" <<'PY'
import json, sys
nodes = json.load(open(sys.argv[1]))["graph"]["nodes"].values()
print(next(node["package_folder"] for node in nodes if node["name"] == "entrain" and node["package_folder"]))
PY
  )
}

conan_() {
  mkdir "$work/bin"
  ln -s "$tools/conan" "$work/bin" # not the CMake of the same folder
  export CONAN_HOME=$work/conan-home PATH=$work/bin:$PATH
  quietly "$here/conan/home.sh" "$CONAN_HOME"
  # A copy, so that Conan writes nothing into the repository.
  local recipe=$work/copy/conan archive=$work/entrain-$version.tar.gz
  mkdir -p "$recipe/test_package"
  cp "$root/conan/conanfile.py" "$recipe"
  cp "$root"/conan/test_package/{conanfile.py,CMakeLists.txt,test_package.cpp} "$recipe/test_package"
  # As in the public index: the sources are an archive.
  tar --create --gzip --file "$archive" --directory "$root" --transform "s,^,entrain-$version/," CMakeLists.txt LICENSE LICENSES cmake include src
  printf 'sources:\n  "%s":\n    url: "file://%s"\n    sha256: "%s"\n' "$version" "$archive" "$(sha256sum "$archive" | cut -d ' ' -f 1)" >"$recipe/conandata.yml"
  package_of --version "$version"
  same_as_installed -DENTRAIN_BUILD_COMPILED=OFF "$package"
  if conan create "$recipe" --version "$version" -s compiler.cppstd=17 >"$work/said" 2>&1 || ! grep -qE "Current cppstd .*17.* is lower than the required" "$work/said"; then
    tail -n 5 "$work/said"
    stop "C++17 is not refused"
  fi
  # As in the repository: the sources are those of the folder above.
  cp -R "$root"/{CMakeLists.txt,LICENSE,LICENSES,cmake,include,src} "$work/copy"
  rm "$recipe/conandata.yml"
  package_of -o '&:compiled=True' -o '&:with_onednn=True'
  same_as_installed -DENTRAIN_BUILD_COMPILED=ON "$package"
}

vcpkg_() {
  local port=$root/vcpkg/entrain features
  quietly python3 "$here/vcpkg/manifest.py" "$port/vcpkg.json" "$version"
  for features in zlib app,onednn,zlib,zstd; do
    quietly cmake -D PORT_DIR="$port" -D FEATURES="$features" -D BUILD="$work/vcpkg-$features" -D PACKAGE="$work/vcpkg-$features-package" \
      -D OPTIONS=-DCMAKE_CXX_FLAGS_RELEASE=-O0,-DCMAKE_UNITY_BUILD=ON -D LIBRARIES="${package:+$package/lib}" -P "$here/vcpkg/port.cmake"
    for file in share/entrain/{copyright,usage,entrainConfig.cmake,EntrainFunctions.cmake} include/entrain/cpu.hpp lib/pkgconfig/entrain.pc; do
      [ -e "$work/vcpkg-$features-package/$file" ] || stop "vcpkg: the package with $features lacks $file"
    done
  done
  [ ! -e "$work/vcpkg-zlib-package/lib/libentrain_compiled.a" ] || stop "vcpkg: a package without app has a library"
  quietly cmake -G Ninja -S "$here/package" -B "$work/vcpkg" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_PREFIX_PATH="$work/vcpkg-app,onednn,zlib,zstd-package"
  quietly ninja -C "$work/vcpkg" consumer
  echo "packages: vcpkg: $("$work/vcpkg/consumer"); by its portfile's steps, without vcpkg"
}

# A file of the Common Package Specification, written and read by a CMake that knows it. find_package(entrain) still reads entrainConfig.cmake.
cps() {
  quietly "$tools/cmake" -G Ninja -S "$root" -B "$work/cps-build" "${quick[@]}" -DENTRAIN_BUILD_COMPILED=OFF
  quietly "$tools/cmake" --install "$work/cps-build" --prefix "$work/cps-first"
  mv "$work/cps-first" "$work/cps-prefix"
  quietly "$tools/cmake" -G Ninja -S "$here/cps" -B "$work/cps" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_PREFIX_PATH="$work/cps-prefix"
  quietly ninja -C "$work/cps" consumer
  "$work/cps/consumer" | grep -q ' parameters$' || stop "cps: the consumer failed"
  quietly "$tools/cmake" -S "$here/components" -B "$work/cps-components" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/cps-prefix"
  grep -q 'entrain 0.2 has cpu app' "$work/said" || stop "cps: find_package(entrain) does not read entrainConfig.cmake"
  echo "packages: cps: written and read by CMake $("$tools/cmake" --version | sed -n '1s/[^0-9]*//p')"
}

for way in "${@:-conan}" $([ $# = 0 ] && echo vcpkg cps); do
  case $way in
    conan) conan_ ;;
    vcpkg) vcpkg_ ;;
    cps) cps ;;
    *) stop "there is no way called $way" ;;
  esac
done
