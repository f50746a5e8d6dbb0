#!/usr/bin/env bash
# Two servers on PostgreSQL whose database is stopped for longer than calls may take, of which one is
# cut off from it in several ways, and beside a transaction that stays open. Nothing that was
# acknowledged is lost or doubled, no call has an effect that was said to be not processed, and all
# heals. tools/soak --only cluster is the long form.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../cluster-test" frozen partition open --seconds 1 --calls 40
