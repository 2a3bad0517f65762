#!/usr/bin/env bash
# Makes a CONAN_HOME for a machine without a remote: no remote, a profile of this machine's compiler, and for each requirement of
# conan/conanfile.py a recipe that wraps the library of the system. `conan` is in PATH.
#
#   tests/consumers/conan/home.sh FOLDER
set -euo pipefail
export CONAN_HOME=${1:?conan home: name the folder}
recipe=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/system
conan profile detect >/dev/null
printf '\n[platform_tool_requires]\ncmake/%s\n' "$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')" >>"$CONAN_HOME/profiles/default"
conan remote remove '*' >/dev/null
for package in eigen/3.4.0 cli11/2.4.2 nlohmann_json/3.11.3 zlib/1.3.1 zstd/1.5.7 onednn/2.4.4; do
  conan export "$recipe" --name "${package%/*}" --version "${package#*/}" >/dev/null
done
