#!/usr/bin/env bash
# Three services that call each other, whose processes are killed, slow or failing: no call is lost or
# doubled, and further attempts stay within their budgets. On a machine that runs other checks a call
# may end late; tools/soak --only chain holds them to 50 ms.
set -euo pipefail
"$QUIVER_PROGRAMS/service-chain" run --seconds 8 --seed "${QUIVER_SEED:-$((RANDOM + 1))}" --late 2000
