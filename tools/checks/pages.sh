#!/usr/bin/env bash
# Plays the pages of the gateway in Chromium against a real server.
#
#   pages.sh          some scenarios, 16 archers, all screens
#   pages.sh --long   besides 60 archers on 15 targets with two phones each, ten seeds
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${QUIVER_PYTHON:?names a Python with playwright and axe; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
. "$root/tools/checks/browser"
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf" PYTHONDONTWRITEBYTECODE=1
tests=$root/tools/checks/pages
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$root/tools/checks/parts"
export PYTHONPATH="$root/tools/checks/gateway:$tests"

# The modules stand beside those of the client, as the gateway serves them.
types() {
  mkdir "$folder/types"
  cp -r "$root/Sources/Programs/quiver-gateway/Pages/score" "$folder/types/score"
  cp -r "$root/clients/javascript/src" "$folder/types/client"
  mkdir -p "$folder/types/board/assets"
  cp "$root/Sources/Programs/quiver-gateway/Pages/board/assets/qr.js" "$folder/types/board/assets"
  cp "$tests/jsconfig.json" "$folder/types/jsconfig.json"
  tsc --project "$folder/types/jsconfig.json"
}

# The tests of a group share a server and a browser.
declare -A groups=(
  [phones]="score screens rescue faults"
  [events]="versions event cut"
)
play() { timeout --kill-after=10 1200 "$python" "$root/tools/checks/gateway/kit.py" "$@"; }
declare -A parts=()
timed "the types" types >"$folder/types.log" 2>&1 & parts[types]=$!
for group in "${!groups[@]}"; do
  # shellcheck disable=SC2046,SC2086 # the names are words
  play $(printf '%s_test ' ${groups[$group]}) >"$folder/$group.log" 2>&1 & parts[$group]=$!
done
failed=0
for part in "${!parts[@]}"; do
  wait "${parts[$part]}" && continue
  echo "pages.sh: $part failed" >&2
  cat "$folder/$part.log" >&2
  failed=1
done
grep -hoE '(touch to|the score|the screens|[0-9]+ archers|[0-9]+ conversations|QUIVER_SEED).*' "$folder"/*.log >&2 || true
if [[ ${1:-} == --long && $failed == 0 ]]; then
  for seed in $(seq 1 "${QUIVER_SEEDS:-10}"); do
    QUIVER_LONG=1 QUIVER_SEED=$seed play event_test 2>&1 || failed=1
  done
fi
slowest_parts
exit "$failed"
