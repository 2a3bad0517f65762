#!/usr/bin/env bash
# Makes a bare git repository with one commit on main: the files of this working tree as they are.
#
#   tests/consumers/mirror.sh FOLDER.git
set -euo pipefail
mirror=${1:?mirror: name the folder}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tree=$mirror.tree
mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
  tar --create --null --files-from - | tar --extract --directory "$tree"
cd "$tree"
git init --quiet --initial-branch main
git add .
git -c user.name=consumers -c user.email=consumers@example.org -c commit.gpgsign=false commit --quiet --message "The files of a test"
git clone --quiet --bare . "$mirror"
