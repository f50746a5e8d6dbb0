#!/usr/bin/env bash
# Runs the commands of docs/event-day.md as a secretary would, and reads the printed papers as phones do.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf" PYTHONPATH="$root/tools/checks/gateway"
exec python3 -B "$root/tools/checks/event-day.py" "$root/docs/event-day.md"
