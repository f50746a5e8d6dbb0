#!/usr/bin/env bash
# The wire-level cases for clients, plain and over TLS, with the Swift client over epoll and over
# Dispatch sources. All must pass. The two run at the same time, since most cases wait. Then the client
# and the command call what is no Quiver server.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
"$root/tools/dev-certificates" --out "$data/certificates" >/dev/null

# try NAME COMMAND…
try() {
  local name=$1
  shift
  if ! "$QUIVER_PROGRAMS/quiver-conformance" --client "$*" --vectors "$root/Protos/vectors" \
    --certificates "$data/certificates" --parallel 24 >"$data/$name"; then
    grep -v ^ok "$data/$name" >&2
    exit 1
  fi
  ! grep ^skip "$data/$name" >&2 || exit 1
  echo "$name: $(tail -1 "$data/$name")" >&2
}

try "Swift client over epoll" "$QUIVER_PROGRAMS/conformance-client" &
epoll=$!
try "Swift client over Dispatch sources" "$QUIVER_PROGRAMS/conformance-client" --dispatch-sources
wait "$epoll"

serve_ports
wrong_ports "$QUIVER_PROGRAMS/conformance-client" || die "the Swift client does not name a wrong port"
wrong_ports --command "$QUIVER_PROGRAMS/quiver" || die "the command does not name a wrong port"
end_server
