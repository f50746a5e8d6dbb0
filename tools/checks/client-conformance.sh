#!/usr/bin/env bash
# The wire-level cases for clients, plain and over TLS, with the Swift client over epoll. All must
# pass. Over Dispatch sources they do not always: see docs/known-limits.md.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
"$root/tools/dev-certificates" --out "$data/certificates" >/dev/null

# try NAME COMMAND…
try() {
  local name=$1
  shift
  if ! "$QUIVER_PROGRAMS/quiver-conformance" --client "$*" --vectors "$root/Protos/vectors" \
    --certificates "$data/certificates" --parallel 24 >"$data/cases"; then
    grep -v ^ok "$data/cases" >&2
    exit 1
  fi
  ! grep ^skip "$data/cases" >&2 || exit 1
  echo "$name: $(tail -1 "$data/cases")" >&2
}

try "Swift client" "$QUIVER_PROGRAMS/conformance-client"
