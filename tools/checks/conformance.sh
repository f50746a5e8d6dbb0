#!/usr/bin/env bash
# The wire-level cases of the protocol against a real server, which must pass them all.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
serve --diagnostics

if ! "$QUIVER_PROGRAMS/quiver-conformance" --server "unix:$data/socket" \
  --token-file "$data/admin.token" >"$data/cases"; then
  grep -v ^ok "$data/cases" >&2
  exit 1
fi
! grep ^skip "$data/cases" >&2 || { echo "nothing may be skipped here" >&2; exit 1; }
tail -1 "$data/cases" >&2
end_server
