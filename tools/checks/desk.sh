#!/usr/bin/env bash
# Checks the types of the desk, what it reads of lists, and an event that a secretary runs in Chromium.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${QUIVER_PYTHON:?names a Python with playwright; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug} QUIVER_CHROMIUM
QUIVER_CHROMIUM=$(command -v chromium)
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf" PYTHONPATH="$root/tools/checks/gateway"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Where the gateway serves them, the modules of the client stand beside those of the page.
cp -r "$root/Sources/Programs/quiver-gateway/Pages/desk" "$folder/desk"
cp -r "$root/clients/javascript/src" "$folder/client"
cat >"$folder/jsconfig.json" <<'EOF'
{ "compilerOptions": { "checkJs": true, "strict": true, "noEmit": true, "target": "es2022",
    "module": "es2022", "moduleResolution": "node", "lib": ["es2022", "dom", "dom.iterable"] },
  "include": ["desk/*.js"] }
EOF
tsc --project "$folder/jsconfig.json"
timeout --kill-after=10 300 node --test "$root/tools/checks/desk/" >"$folder/node" || {
  cat "$folder/node" >&2
  exit 1
}
timeout --kill-after=10 1200 "$python" -B "$root/tools/checks/desk/desk_test.py" >&2
