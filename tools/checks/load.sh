#!/usr/bin/env bash
# The load tester's smoke scenario against a server: every role works, and nothing is lost.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
load="$QUIVER_PROGRAMS/quiver-load"
. "$root/tools/checks/served"
serve --diagnostics

"$load" run "$root/tools/load/scenarios/smoke.json" --quiet --html-out "$data/smoke.html" \
  --json-out "$data/smoke.json" >"$data/report" || { cat "$data/report" >&2; exit 1; }
grep -q '^verified   nothing is lost, doubled or reordered$' "$data/report" ||
  { cat "$data/report" >&2; exit 1; }

# One page that a parser of XML takes, and that asks for nothing else.
"${QUIVER_PYTHON:-python3}" - "$data" <<'PYTHON'
import json, re, sys, xml.etree.ElementTree as tree
page = open(sys.argv[1] + "/smoke.html").read()
tree.fromstring(page)
asked = re.findall(r'(?:src|href|url)\s*[=(]\s*["\']?(?!#)[^"\'>)]+|@import|<script', page)
assert not asked, asked
assert page.count("<svg") > 20 and "nothing is lost, doubled or reordered" in page
result = json.load(open(sys.argv[1] + "/smoke.json"))
assert result["verified"] is True and result["failed"] == 0, result["failures"]
PYTHON

# A server that is killed and comes back fails calls, but loses nothing that it has acknowledged. It
# is killed when the second second is over, in the middle of the load.
status=0
"$load" run "$root/tools/load/scenarios/smoke.json" >"$data/report" 2>"$data/seconds" &
run=$!
until grep -qsE '^ +2s ' "$data/seconds"; do
  kill -0 "$run" || die "the run ended before its second second" "$data/seconds"
  sleep 0.05
done
kill -9 "$server"
wait "$server" 2>/dev/null || true
start --diagnostics
wait "$run" || status=$?
[[ $status == [01] ]] && grep -q '^verified   nothing is lost, doubled or reordered$' "$data/report" &&
  grep -q UNAVAILABLE "$data/report" || { cat "$data/report" >&2; exit 1; }

# What is wrong is said in one line, before any load.
refused() {
  local wanted=$1 said status=0
  shift
  said=$("$load" "$@" 2>&1) || status=$?
  [[ $status == "$wanted" && -n $said && $(wc -l <<<"$said") == 1 ]] ||
    { echo "quiver-load $*: exit $status, not $wanted: $said" >&2; exit 1; }
}
"$load" schema | "${QUIVER_PYTHON:-python3}" -c 'import json, sys; json.load(sys.stdin)'
echo '{"version": 1, "name": "x", "roles": []}' >"$data/bad.json"
refused 2 run "$data/bad.json"
refused 2 --method Equipment/GetHub -d '{"nope": 1}'
refused 4 --method Equipment/Nope
refused 4 run "$root/tools/load/scenarios/smoke.json" --server "unix:$data/nobody"
refused 4 --method CreateAccessory --verify --count 10 --timeout 1s --server "unix:$data/nobody"

# SIGINT ends a run of any kind with the report of the time until then. It is sent when a second is over.
interrupted() {
  local wanted=$1 status=0
  shift
  # A shell without job control starts what runs beside it with SIGINT ignored.
  rm -f "$data/seconds"
  setsid "$load" "$@" --lines >"$data/report" 2>"$data/seconds" &
  run=$!
  until grep -qsE '^ +2s ' "$data/seconds"; do
    kill -0 "$run" || die "the run ended before its second second" "$data/seconds"
    sleep 0.05
  done
  kill -INT "$run"
  timeout 60 tail --pid="$run" -f /dev/null || die "SIGINT does not end quiver-load $*" "$data/seconds"
  wait "$run" || status=$?
  [[ $status == 130 ]] && grep -qE "$wanted" "$data/report" &&
    grep -q '^quiver-load: interrupted: the figures are those of the time until then$' "$data/seconds" ||
    { echo "quiver-load $*: exit $status" >&2 && cat "$data/report" "$data/seconds" >&2 && exit 1; }
}
# A second one ends it at once and without a report, also where a call is open for minutes.
interrupted_twice() {
  local status=0
  rm -f "$data/seconds"
  setsid "$load" --method Diagnostics/Delay -d '{"delay_ms": 600000}' --timeout 700s --duration 20h --lines \
    >"$data/report" 2>"$data/seconds" &
  run=$!
  until grep -qsE '^ +1s ' "$data/seconds"; do
    kill -0 "$run" || die "the run ended before its first second" "$data/seconds"
    sleep 0.05
  done
  kill -INT "$run"
  until grep -qs 'a second SIGINT ends at once' "$data/seconds"; do
    kill -0 "$run" || die "the run ended with an open call" "$data/seconds"
    sleep 0.05
  done
  kill -INT "$run"
  timeout 60 tail --pid="$run" -f /dev/null || die "a second SIGINT does not end quiver-load" "$data/seconds"
  wait "$run" || status=$?
  [[ $status == 130 && ! -s $data/report ]] || die "exit $status, with a report" "$data/report"
}
interrupted_twice
endless=(--method Health/Check --rate 20 --late-after 100s --duration 20h)
interrupted '^interrupted before its time$' "${endless[@]}" --warm-up 0
interrupted '^interrupted before its time$' "${endless[@]}" --warm-up 10h
interrupted '^interrupted before its time$' "${endless[@]}" --warm-up 0 --agents 2
interrupted '^[0-9.]+ s counted, interrupted$' run "$root/tools/load/scenarios/smoke.json"
grep -q '^verified   nothing is lost, doubled or reordered$' "$data/report" || die "not read back" "$data/report"
end_server
