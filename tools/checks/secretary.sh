#!/usr/bin/env bash
# A secretary runs a whole indoor event of 60 archers in Chromium, from an empty server to the medals.
#
#   secretary.sh          one seed, with the mouse
#   secretary.sh --long   ten seeds (QUIVER_SEEDS), and two of them by keyboard alone
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${QUIVER_PYTHON:?names a Python with playwright; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug} QUIVER_CHROMIUM
QUIVER_CHROMIUM=$(command -v chromium)
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf" PYTHONPATH="$root/tools/checks/gateway" PYTHONDONTWRITEBYTECODE=1

play() { timeout --kill-after=10 1800 "$python" "$root/tools/checks/desk/secretary_test.py" >&2; }

if [[ ${1:-} != --long ]]; then
  play
  exit
fi
failed=0
for seed in $(seq 1 "${QUIVER_SEEDS:-10}"); do
  QUIVER_SEED=$seed play || failed=1
done
for seed in 1 2; do
  QUIVER_SEED=$seed QUIVER_KEYS=1 play || failed=1
done
exit "$failed"
