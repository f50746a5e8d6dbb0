#!/usr/bin/env bash
# An event of 200 archers played over sockets with faults, and a short one of two days: their results
# agree with the operations, and the papers are written. QUIVER_SILENCE=on waits 3 minutes for takeovers.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/install"
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
env -u QUIVER_SERVER HOME="$data" "$QUIVER_PROGRAMS/quiver" event rehearse \
  --seed "${QUIVER_SEED:-1}" --silence "${QUIVER_SILENCE:-off}" --papers "$data/papers" 2>"$data/errors" | tee "$data/report" ||
  fail "the rehearsal failed: $(cat "$data/errors")"
grep -q '^disagreements  0$' "$data/report" || fail "the rehearsal has disagreements"
grep -qE '^phones +takeovers [1-9].* rescues [1-9].* moves [1-9].* line [1-9]' "$data/report" ||
  fail "the rehearsal has no takeovers, rescues, moves or calls"
grep -q '^papers         4 compared, 1 typed$' "$data/report" || fail "the rehearsal has no papers"
[[ $(find "$data/papers" -type f -size +200c | wc -l) -eq 11 ]] || fail "papers of the rehearsal are missing"
env -u QUIVER_SERVER HOME="$data" "$QUIVER_PROGRAMS/quiver" event rehearse --archers 60 --days 2 \
  --seed "${QUIVER_SEED:-1}" 2>"$data/errors" | tee "$data/report" ||
  fail "the rehearsal of two days failed: $(cat "$data/errors")"
grep -q '^disagreements  0$' "$data/report" || fail "the rehearsal of two days has disagreements"
