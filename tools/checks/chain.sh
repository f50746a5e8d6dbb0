#!/usr/bin/env bash
# Three services that call each other, whose processes are killed, slow or failing: no call is lost or
# doubled, and further attempts stay within their budgets. Calls end by their deadlines, not counted the
# time in which bare timers are overdue; beside other checks a second more is allowed, in tools/soak 50 ms.
set -euo pipefail
"$QUIVER_PROGRAMS/service-chain" run --seconds 8 --seed "${QUIVER_SEED:-$((RANDOM + 1))}" --late 1000
