#!/usr/bin/env bash
# The version is the same wherever it is written, CITATION.cff is valid, every file has a licence (REUSE.toml), and the text of the MIT licence
# is the same in both places.
#
#   scripts/check/metadata.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tools=$(tests/consumers/tools.sh) || scripts/not_checked.sh metadata "the programs of tests/consumers/requirements.txt could not be installed"
failed=0
fail() { echo "metadata: $*"; failed=$((failed + 1)); }
version=$(sed -n 's/.*version = "\([0-9.]*\)".*/\1/p' include/entrain/core/version.hpp)
minor=${version%.*}
has() { grep -qF -- "$2" "$1" || fail "$1: expected '$2', the version of include/entrain/core/version.hpp"; }
has CHANGELOG.md "is $version."
has CITATION.cff "version: $version"
has vcpkg/entrain/vcpkg.json "\"version-semver\": \"$version\""
has vcpkg/entrain/usage "find_package(entrain $minor "
has include/entrain/c/predictor.h "\"$version\""
has README.md "find_package(entrain $minor "
has docs/packaging.md "find_package(entrain $minor "
has docs/packaging.md "entrain/$version"
! grep -noE 'find_package\(entrain [0-9.]+' README.md docs/*.md tests/consumers/*/CMakeLists.txt | grep -v "entrain $minor\$" || fail "another version in these lines, expected $minor"
cmp -s LICENSE LICENSES/MIT.txt || fail "LICENSE differs from LICENSES/MIT.txt"
"$tools/cffconvert" --validate >/dev/null || fail "CITATION.cff is not valid"
"$tools/reuse" lint --quiet || { "$tools/reuse" lint --lines | head; fail "a file without a licence, see REUSE.toml"; }
[ $failed = 0 ] || exit 1
echo "metadata: $version everywhere; citation and licences are valid"
