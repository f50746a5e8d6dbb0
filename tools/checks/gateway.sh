#!/usr/bin/env bash
# Runs the gateway under clients that others wrote, under broken HTTP, and under a browser.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${QUIVER_PYTHON:?names a Python with grpcio and others; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}

(cd "$root/Protos" && protoc --python_out="$folder" quiver/v1/*.proto)
(cd "$folder" && "$root/tools/dev-certificates" >/dev/null)
export QUIVER_CERTIFICATES="$folder/certificates" QUIVER_CHROMIUM
QUIVER_CHROMIUM=$(command -v chromium)
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf"
export PYTHONPATH="$folder:$root/tools/checks/gateway"
for part in clients callers watches http bodies frames operations board views pages pictures; do
  test="$root/tools/checks/gateway/${part}_test.py"
  "$python" "$test" 2>"$folder/log" || {
    cat "$folder/log" >&2
    exit 1
  }
  tail -n 3 "$folder/log" | head -n 1
done
