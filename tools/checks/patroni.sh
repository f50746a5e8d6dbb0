#!/usr/bin/env bash
# Patroni replaces the primary of three databases, by order and after kill -9 of the primary with its
# Patroni, under clients that call two servers: nothing that was acknowledged is lost or there twice, and
# the store stays in its epoch.
set -euo pipefail
exec timeout --kill-after=30 900 bash "$(dirname "${BASH_SOURCE[0]}")/scaling.sh" patroni
