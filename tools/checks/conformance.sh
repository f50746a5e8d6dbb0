#!/usr/bin/env bash
# The wire-level cases of the protocol against a real server, which must pass them all.
set -euo pipefail
data=$(mktemp -d)

"$QUIVER_PROGRAMS/quiverd" --diagnostics --data "$data" --listen "unix:$data/socket" 2>"$data/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" || true; rm -rf "$data"' EXIT
"$QUIVER_PROGRAMS/quiver" --server "unix:$data/socket" health --wait 30 >/dev/null ||
  { cat "$data/log" >&2; exit 1; }

if ! "$QUIVER_PROGRAMS/quiver-conformance" --server "unix:$data/socket" \
  --token-file "$data/admin.token" >"$data/cases"; then
  grep -v ^ok "$data/cases" >&2
  exit 1
fi
! grep ^skip "$data/cases" >&2 || { echo "nothing may be skipped here" >&2; exit 1; }
tail -1 "$data/cases" >&2
