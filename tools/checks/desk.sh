#!/usr/bin/env bash
# Checks the types of the desk, the board and the pages of officials, what the desk reads of lists, an event that a
# secretary runs in Chromium, and what judges and helpers at check-in do beside it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${QUIVER_PYTHON:?names a Python with playwright; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
. "$root/tools/checks/browser"
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf" PYTHONPATH="$root/tools/checks/gateway"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$root/tools/checks/parts"

# Where the gateway serves them, the modules of the client stand beside those of the page.
for page in desk judge check-in board score; do
  cp -rL "$root/Sources/Programs/quiver-gateway/Pages/$page" "$folder/$page"
done
cp -r "$root/clients/javascript/src" "$folder/client"
cat >"$folder/jsconfig.json" <<'EOF'
{ "compilerOptions": { "checkJs": true, "strict": true, "noEmit": true, "target": "es2022",
    "module": "es2022", "moduleResolution": "node", "lib": ["es2022", "dom", "dom.iterable"] },
  "include": ["desk/*.js", "judge/*.js", "check-in/*.js", "board/assets/*.js"] }
EOF
timed "the types" tsc --project "$folder/jsconfig.json"
node_test "$root/tools/checks/desk/" >"$folder/node" || {
  cat "$folder/node" >&2
  exit 1
}
export PYTHONPATH="$PYTHONPATH:$root/tools/checks/desk:$root/tools/checks/pages"
timeout --kill-after=10 1800 "$python" -B "$root/tools/checks/gateway/kit.py" desk_test two_desks_test officials_test open_officials_test secretary_test >&2
slowest_parts
