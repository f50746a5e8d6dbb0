#!/usr/bin/env bash
# TLS as users have it: the certificates of tools/dev-certificates, the command line, the load tester
# with a verified scenario, and a certificate that is replaced under load without a failed call.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"

certificates="$data/certificates"
load="$QUIVER_PROGRAMS/quiver-load"
make_certificates() { "$root/tools/dev-certificates" --out "$certificates" >/dev/null; }

address="tls://127.0.0.1:$(free_port)"
start_secure() {
  "$QUIVER_PROGRAMS/quiverd" --init --data "$data" --listen "$address" --diagnostics \
    --tls-certificate "$certificates/server.pem" --tls-key "$certificates/server.key" \
    --tls-client-ca "$certificates/ca.pem" --tls-client optional 2>>"$data/log" &
  server=$!
}

make_certificates
start_secure
export QUIVER_SERVER="$address" QUIVER_CA="$certificates/ca.pem"
quiver health --wait 60 >/dev/null || die "quiver does not reach the server over TLS" "$data/log"

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

# A certificate is replaced under load, at least three times: as often as a run has time for, and in a
# further run where a slow machine needs one.
reloads() { grep -c 'event=certificate-reloaded' "$data/log" || true; }

replace_certificate() {
  local before end=$((SECONDS + 60))
  make_certificates
  before=$(reloads)
  kill -HUP "$server"
  until (($(reloads) > before)); do
    ((SECONDS < end)) || die "the certificate was not reloaded" "$data/log"
    sleep 0.05
  done
}

# The load tester's own is left as it is, so that it does not read half of it.
cp "$certificates"/client.{pem,key} "$data"
replaced=0
for _ in 1 2 3; do
  "$load" --method quiver.v1.Diagnostics/Echo --certificate "$data/client.pem" \
    --key "$data/client.key" --server-name localhost \
    --duration 5s --warm-up 0 --concurrency 4 --connections 2 --quiet --json >"$data/load.json" &
  run=$!
  while kill -0 "$run" 2>/dev/null; do
    replace_certificate
    replaced=$((replaced + 1))
    sleep 0.5
  done
  wait "$run" || die "calls failed while the certificate was replaced" "$data/load.json"
  "${QUIVER_PYTHON:-python3}" - "$data/load.json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
text = json.dumps(report)
failed = report.get("failed", report.get("summary", {}).get("failed"))
assert failed == 0, text[:2000]
PYTHON
  ((replaced < 3)) || break
done
((replaced >= 3)) || die "the certificate was replaced $replaced times" "$data/log"

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
