#!/usr/bin/env bash
# Three servers on PostgreSQL with a streaming replica: the suites of the protocol, of replays and of
# offline sessions pass at all of them; and under a scenario with every kind of call a server and the
# primary are killed, the replica is promoted, and another server is killed. All that was acknowledged
# is there once. tools/soak --only cluster is the long form.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../cluster-test" suites promotion --kills 4 --archers 4 --calls 40
