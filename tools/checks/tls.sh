#!/usr/bin/env bash
# TLS as users have it: the certificates of tools/dev-certificates, the command line, the load tester,
# and a certificate that is replaced under load without a failed call.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"

certificates="$data/certificates"
make_certificates() { "$root/tools/dev-certificates" --out "$certificates" >/dev/null; }
make_certificates
"$QUIVER_PROGRAMS/quiverd" --data "$data" --listen tls://127.0.0.1:0 --diagnostics \
  --tls-certificate "$certificates/server.pem" --tls-key "$certificates/server.key" \
  2>>"$data/log" &
server=$!
until address=$(grep -o 'tls://127.0.0.1:[0-9]*' "$data/log"); do
  kill -0 "$server" 2>/dev/null || die "quiverd does not serve" "$data/log"
  sleep 0.05
done
export QUIVER_SERVER="$address" QUIVER_CA="$certificates/ca.pem"
quiver health --wait 30 >/dev/null || die "quiver does not reach the server over TLS" "$data/log"

# Without the authority the certificate is not trusted, and the message says so.
! QUIVER_CA='' quiver health >"$data/printed" 2>&1 || die "an unknown authority is trusted"
expect 'not trusted here'

"$QUIVER_PROGRAMS/quiver-load" --ca "$QUIVER_CA" --method quiver.v1.Diagnostics/Echo \
  --duration 4s --warm-up 0 --concurrency 4 --connections 2 --quiet --json >"$data/load.json" &
load=$!
for _ in 1 2 3; do
  sleep 1
  make_certificates
  kill -HUP "$server"
done
wait "$load" || die "calls failed while the certificate was replaced" "$data/load.json"
"${QUIVER_PYTHON:-python3}" - "$data/load.json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
text = json.dumps(report)
failed = report.get("failed", report.get("summary", {}).get("failed"))
assert failed == 0, text[:2000]
PYTHON
[[ $(grep -c 'event=certificate-reloaded' "$data/log") -ge 3 ]] ||
  die "the certificate was not reloaded" "$data/log"
end_server
