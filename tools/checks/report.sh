#!/usr/bin/env bash
# The HTML reports of the load tester in Chromium: nothing overflows, every picture has its title,
# details are folded, and the pages print.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
load="$QUIVER_PROGRAMS/quiver-load"
. "$root/tools/checks/served"
serve

"$load" run "$root/tools/load/scenarios/smoke.json" --quiet --html-out "$data/scenario.html" \
  >"$data/report" || die "the scenario failed" "$data/report"
# The verdict may be that an objective is broken, or that the generator was late.
"$load" --method Equipment/GetHub --rate 50 --duration 3s --slo 'p99<1us' --quiet \
  --html-out "$data/plain.html" >"$data/report" 2>&1 || [[ $? == [13] ]] ||
  die "the plain run failed" "$data/report"
end_server
"${QUIVER_PYTHON:-python3}" "$root/tools/checks/report.py" "$data/scenario.html" "$data/plain.html"
