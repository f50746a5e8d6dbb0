#!/usr/bin/env bash
# Checks the types of the JavaScript client and runs its tests against a real gateway and server.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
client=$root/clients/javascript
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

tsc --project "$client/jsconfig.json"
# A test that hangs is ended with its name.
timeout --kill-after=10 120 node --test "$client/tests/" >"$folder/log" 2>&1 || {
  cat "$folder/log" >&2
  exit 1
}
grep -E '^(#|ℹ) (pass|skipped) ' "$folder/log" | tr '\n' ' ' >&2
echo >&2
if command -v npm >/dev/null; then
  # What is published: the sources, the licence of the metadata, no tests.
  (cd "$client" && npm pack --dry-run --json --ignore-scripts --offline --cache "$folder/npm" \
    2>/dev/null) >"$folder/pack.json"
  node - "$folder/pack.json" <<'EOF'
const [{ files, name }] = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const paths = files.map((file) => file.path);
const isWrong = (path) => !/^(package\.json|README\.md|src\/[a-z0-9]+\.js)$/.test(path);
if (name !== "quiver-rpc" || !paths.includes("src/index.js") || paths.some(isWrong)) {
  throw new Error(`npm would publish ${paths.join(", ")}`);
}
EOF
fi
