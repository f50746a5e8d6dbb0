#!/usr/bin/env bash
# The rules of keys, positions, epochs and outboxes as a model: all of its states keep the promises, and
# each seeded bug and known gap is found, with its shortest history. Then a real server does in
# histories that are drawn from a seed (QUIVER_SEED) what the model does.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${QUIVER_PYTHON:?names a Python with protobuf; tools/install makes one}
programs=${QUIVER_PROGRAMS:-$root/.build/debug}
export PYTHONDONTWRITEBYTECODE=1
"$python" "$root/tools/model/explore.py"

# A copy, since a build writes into its folder.
mkdir -p "$folder/clients"
cp -r "$root/clients/python" "$folder/clients/python"
cp -r "$root/Protos" "$root/LICENSE" "$folder"
"$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
  --target "$folder/site" "$folder/clients/python"
export PYTHONPATH="$folder/site"
compare() { "$python" "$root/tools/model/compare.py" --programs "$programs" "$@"; }
compare --histories 4 --seed "${QUIVER_SEED:-$RANDOM}"
# What is restored is not what the model restores.
if compare --plant --histories 20 --seed 1 >"$folder/planted" 2>&1; then
  echo "a planted difference was not found" >&2
  exit 1
fi
grep -q 'the store has .*, the model' "$folder/planted" || { cat "$folder/planted" >&2 && exit 1; }
