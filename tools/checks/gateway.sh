#!/usr/bin/env bash
# Runs the gateway under clients that others wrote, under broken HTTP, and under a browser.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${QUIVER_PYTHON:?names a Python with grpcio and others; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
. "$root/tools/checks/parts"

(cd "$root/Protos" && protoc --python_out="$folder" quiver/v1/*.proto)
(cd "$folder" && "$root/tools/dev-certificates" >/dev/null)
export QUIVER_CERTIFICATES="$folder/certificates"
. "$root/tools/checks/browser"
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf"
export PYTHONPATH="$folder:$root/tools/checks/gateway" PYTHONDONTWRITEBYTECODE=1

# The tests of pages share a server and a browser; the others wait for a good part of their time.
sockets="clients callers watches http bodies frames operations"
pages="board views pages pictures"
declare -A running=()
for group in sockets pages; do
  # shellcheck disable=SC2086 # the names are words
  "$python" "$root/tools/checks/gateway/kit.py" $(printf '%s_test ' ${!group}) 2>"$folder/$group" &
  running[$group]=$!
done
failed=0
for group in "${!running[@]}"; do
  if wait "${running[$group]}"; then
    tail -n 3 "$folder/$group" | sed -n 1p
  else
    cat "$folder/$group" >&2
    failed=1
  fi
done
slowest_parts
exit "$failed"
