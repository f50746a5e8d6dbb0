#!/usr/bin/env bash
# The load tester while it runs: the full-screen view on a pseudo-terminal, lines of JSON, metrics,
# and load from several processes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
serve
"${QUIVER_PYTHON:-python3}" "$root/tools/checks/load_live.py" "$QUIVER_PROGRAMS/quiver-load" "$data" ||
  die "the load tester does not show what it does" "$data/log"
end_server
