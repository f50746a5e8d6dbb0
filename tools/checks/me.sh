#!/usr/bin/env bash
# Checks the types and the sentences of the archer's page, and in Chromium the rules that its screens show, what a coach reads
# of what an archer shares, what archers enter with and without a connection, and that everybody can use it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${QUIVER_PYTHON:?names a Python with playwright and axe; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
. "$root/tools/checks/browser"
export FONTCONFIG_FILE="$root/tools/checks/fonts.conf" PYTHONPATH="$root/tools/checks/gateway:$root/tools/checks/me"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$root/tools/checks/parts"

# Where the gateway serves them, the modules of the client stand beside those of the pages.
for page in me desk board score; do
  cp -rL "$root/Sources/Programs/quiver-gateway/Pages/$page" "$folder/$page"
done
cp -r "$root/clients/javascript/src" "$folder/client"
cat >"$folder/jsconfig.json" <<'END'
{ "compilerOptions": { "checkJs": true, "strict": true, "noEmit": true, "target": "es2022",
    "module": "es2022", "moduleResolution": "node", "lib": ["es2022", "dom", "dom.iterable"] },
  "include": ["me/*.js"] }
END
timed "the types" tsc --project "$folder/jsconfig.json"
node_test "$root/tools/checks/me/" >"$folder/node" || {
  cat "$folder/node" >&2
  exit 1
}
timeout --kill-after=10 1200 "$python" -B "$root/tools/checks/gateway/kit.py" me_test write_test >&2
slowest_parts
