#!/usr/bin/env bash
# The wire-level cases of the protocol against a real server, plain and over TLS; all must pass.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
certificates="$data/certificates"
"$root/tools/dev-certificates" --out "$certificates" >/dev/null
serve --diagnostics --listen tls://127.0.0.1:0 \
  --tls-certificate "$certificates/server.pem" --tls-key "$certificates/server.key"
secure=$(logged 'tls://127\.0\.0\.1:[0-9]+')

# try NAME ARGUMENTS…
try() {
  local name=$1
  shift
  if ! "$QUIVER_PROGRAMS/quiver-conformance" "$@" --token-file "$data/admin.token" \
    >"$data/cases"; then
    grep -v ^ok "$data/cases" >&2
    exit 1
  fi
  ! grep ^skip "$data/cases" >&2 || die "no case may be skipped here"
  echo "$name: $(tail -1 "$data/cases")" >&2
}

try plain --server "unix:$data/socket"
try TLS --server "$secure" --ca "$certificates/ca.pem"
end_server
