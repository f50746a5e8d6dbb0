#!/usr/bin/env bash
# Installs the Python client as a user would and runs its tests against a real server.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${QUIVER_PYTHON:?names a Python with protobuf, zstandard and mypy; tools/install makes one}
export QUIVER_PROGRAMS=${QUIVER_PROGRAMS:-$root/.build/debug}

# A copy, since a build writes into its folder.
mkdir -p "$folder/clients"
cp -r "$root/clients/python" "$folder/clients/python"
cp -r "$root/Protos" "$folder/Protos"
"$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
  --target "$folder/site" "$folder/clients/python"
export PYTHONPATH="$folder/site"

"$python" -m mypy --config-file "$root/clients/python/pyproject.toml" --cache-dir "$folder/mypy" \
  -p quiver
"$python" "$root/clients/python/tests/vectors_test.py"
"$python" "$root/clients/python/tests/check_test.py"
"$python" "$root/clients/python/tests/client_test.py"
"$python" "$root/clients/python/tests/live_test.py"
"$root/tools/dev-certificates" --out "$folder/certificates" >/dev/null
if ! "$QUIVER_PROGRAMS/quiver-conformance" --vectors "$root/Protos/vectors" \
  --certificates "$folder/certificates" --parallel 12 \
  --client "$python $root/clients/python/tests/conformance.py" >"$folder/cases"; then
  grep -v ^ok "$folder/cases" >&2
  exit 1
fi
! grep ^skip "$folder/cases" >&2 || exit 1
echo "Python client: $(tail -1 "$folder/cases")" >&2

# The README's commands in a fresh virtual environment, with two kills of the server during the tournament.
. "$root/tools/checks/served"
. "$root/tools/checks/readme_commands"
trap 'finish; rm -rf "$folder"' EXIT
make_checkout python
python3 -m venv "$data/venv"
export PATH="$data/venv/bin:$PATH"
unset PYTHONPATH
(cd "$checkout" && bash -c "$(command_of python 'pip install') --quiet --disable-pip-version-check")
serve
survive "$(command_of python 'QUIVER_SERVER=')"
end_server
