#!/usr/bin/env bash
# TLS as users have it: the certificates of tools/dev-certificates, the command line, the load tester
# with a verified scenario, and a certificate that is replaced under load without a failed call.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"

certificates="$data/certificates"
load="$QUIVER_PROGRAMS/quiver-load"
make_certificates() { "$root/tools/dev-certificates" --out "$certificates" >/dev/null; }

# Starts the server on the address that it had before, if there was one.
start_secure() {
  "$QUIVER_PROGRAMS/quiverd" --init --data "$data" --listen "${address:-tls://127.0.0.1:0}" --diagnostics \
    --tls-certificate "$certificates/server.pem" --tls-key "$certificates/server.key" \
    --tls-client-ca "$certificates/ca.pem" --tls-client optional 2>>"$data/log" &
  server=$!
}

make_certificates
start_secure
until address=$(grep -o 'tls://127.0.0.1:[0-9]*' "$data/log" | head -1) && [[ -n $address ]]; do
  kill -0 "$server" 2>/dev/null || die "quiverd does not serve" "$data/log"
  sleep 0.05
done
export QUIVER_SERVER="$address" QUIVER_CA="$certificates/ca.pem"
quiver health --wait 30 >/dev/null || die "quiver does not reach the server over TLS" "$data/log"

# What is wrong with a certificate is said, and what to do.
refused() {
  local sentence=$1
  shift
  ! "$@" >"$data/printed" 2>&1 || die "$* is not refused"
  expect "$sentence"
}
refused 'not trusted here: name the authority' env QUIVER_CA= "$QUIVER_PROGRAMS/quiver" health
refused 'not for other.example' quiver health --server-name other.example
refused 'not trusted here: name the authority' env QUIVER_CA= "$load" --method Health/Check --count 1
refused 'not for other.example' "$load" --server-name other.example --method Health/Check --count 1

# A certificate is replaced three times under load.
"$load" --method quiver.v1.Diagnostics/Echo --certificate "$certificates/client.pem" \
  --key "$certificates/client.key" --server-name localhost \
  --duration 4s --warm-up 0 --concurrency 4 --connections 2 --quiet --json >"$data/load.json" &
run=$!
for _ in 1 2 3; do
  sleep 1
  make_certificates
  kill -HUP "$server"
done
wait "$run" || die "calls failed while the certificate was replaced" "$data/load.json"
"${QUIVER_PYTHON:-python3}" - "$data/load.json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
text = json.dumps(report)
failed = report.get("failed", report.get("summary", {}).get("failed"))
assert failed == 0, text[:2000]
PYTHON
[[ $(grep -c 'event=certificate-reloaded' "$data/log") -ge 3 ]] ||
  die "the certificate was not reloaded" "$data/log"

# Every role of the smoke scenario works, while the server is killed and comes back, and nothing that
# it has acknowledged is lost.
status=0
"$load" run "$root/tools/load/scenarios/smoke.json" >"$data/report" 2>"$data/seconds" &
run=$!
until grep -qsE '^ +2s ' "$data/seconds"; do
  kill -0 "$run" || die "the run ended before its second second" "$data/seconds"
  sleep 0.05
done
kill -9 "$server"
wait "$server" 2>/dev/null || true
start_secure
wait "$run" || status=$?
[[ $status == [01] ]] && grep -q '^verified   nothing is lost, doubled or reordered$' "$data/report" ||
  die "a scenario over TLS is not verified (exit $status)" "$data/report"
end_server
