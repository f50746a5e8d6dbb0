#!/usr/bin/env bash
# The web mode of quiverd: a gateway as its child, at the address of this machine in its network, that
# is started again, is drained first, and never stays behind.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$root/tools/dev-certificates" --out "$folder/certificates" >/dev/null
export QUIVER_CERTIFICATES="$folder/certificates" PYTHONPATH="$root/tools/checks/gateway"
python3 -B "$root/tools/checks/web.py" 2>"$folder/log" || {
  cat "$folder/log" >&2
  exit 1
}
tail -n 3 "$folder/log" | sed -n 1p
