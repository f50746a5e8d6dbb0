#!/usr/bin/env bash
# Checks the types of the JavaScript client and runs its tests against a real gateway and server, in
# Node and in Chromium.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${QUIVER_PYTHON:?names a Python with playwright; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}
. "$root/tools/checks/browser"
client=$root/clients/javascript
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$root/tools/checks/parts"
export PYTHONPATH="$root/tools/checks/gateway:$client/tests"

# What is published: the sources and their description, no tests.
pack() {
  command -v npm >/dev/null || return 0
  (cd "$client" && npm pack --dry-run --json --ignore-scripts --offline --cache "$folder/npm") \
    >"$folder/pack.json"
  node - "$folder/pack.json" <<'EOF'
const [{ files, name }] = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const paths = files.map((file) => file.path);
const isWrong = (path) => !/^(package\.json|README\.md|src\/[a-z0-9]+\.js)$/.test(path);
if (name !== "quiver-rpc" || !paths.includes("src/index.js") || paths.some(isWrong)) {
  throw new Error(`npm would publish ${paths.join(", ")}`);
}
EOF
}

# The types and methods are those of Protos/.
generated() {
  mkdir "$folder/made"
  QUIVER_PYTHON=$python "$client/generate.sh" "$folder/made"
  for name in messages services; do
    cmp "$folder/made/$name.js" "$client/src/$name.js" || { echo "run clients/javascript/generate.sh"; return 1; }
  done
}

# The client in Node at ports of other protocols.
ports() (
  . "$root/tools/checks/served"
  serve_ports
  wrong_ports --gateway "node $root/tools/checks/javascript-driver.mjs" || die "a wrong port is not named"
  end_server
)

# Side by side, since the tests wait for a good part of their time. What hangs is ended.
declare -A parts=()
timed "the types" tsc --project "$client/jsconfig.json" >"$folder/types" 2>&1 & parts[types]=$!
pack >"$folder/pack" 2>&1 & parts[pack]=$!
timed "the generated files" generated >"$folder/generated" 2>&1 & parts[generated]=$!
"$python" -B "$root/Tests/Fixtures/session/session_vectors.py" check >"$folder/vectors" 2>&1 & parts[vectors]=$!
node_seconds=600 node_test "$client/tests/" >"$folder/node" 2>&1 & parts[node]=$!
timed "wrong ports" ports >"$folder/ports" 2>&1 & parts[ports]=$!
timeout --kill-after=10 1200 "$python" -B "$root/tools/checks/gateway/kit.py" browser_test outbox_test >"$folder/browser" 2>&1 &
parts[browser]=$!
failed=0
for part in "${!parts[@]}"; do
  wait "${parts[$part]}" && continue
  echo "javascript.sh: $part failed" >&2
  cat "$folder/$part" >&2
  failed=1
done
grep "at wrong ports" "$folder/ports" >&2 || true
grep -E '^(#|ℹ) (pass|skipped) ' "$folder/node" | tr '\n' ' ' >&2
echo >&2
slowest_parts
exit "$failed"
