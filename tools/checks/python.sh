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
cp -r "$root/Protos" "$root/LICENSE" "$folder"
"$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
  --target "$folder/site" "$folder/clients/python"
export PYTHONPATH="$folder/site"

# Editors show the comments of Protos/.
grep -qxF '    """above 0, at most 100"""' "$folder/site/quiver/v1/riser_pb2.pyi"

"$python" -m mypy --config-file "$root/clients/python/pyproject.toml" --cache-dir "$folder/mypy" \
  -p quiver
"$python" "$root/clients/python/tests/vectors_test.py"
"$python" "$root/clients/python/tests/check_test.py"
"$python" "$root/clients/python/tests/state_test.py"
"$python" "$root/clients/python/tests/client_test.py"
"$python" "$root/clients/python/tests/login_test.py"
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

# The source distribution by itself, in a fresh virtual environment.
(cd "$folder/clients/python" && rm -rf build src/*.egg-info &&
  "$python" -c 'from setuptools import build_meta; build_meta.build_sdist("'"$folder/dist"'")' >/dev/null 2>&1)
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$folder"/dist/quiver*.tar.gz
(cd "$folder" && env -u PYTHONPATH "$folder/venv/bin/python" -c \
  'import quiver; from quiver import sync, v1; v1.Riser(client_id=quiver.uuid7(), brand="Hoyt")')

# The README's commands in a fresh virtual environment, with two kills of the server during the tournament.
. "$root/tools/checks/served"
. "$root/tools/checks/readme_commands"
trap 'finish; rm -rf "$folder"' EXIT
make_checkout python
python3 -m venv "$data/venv"
export PATH="$data/venv/bin:$PATH"
unset PYTHONPATH
(cd "$checkout" && bash -c "$(command_of python 'pip install') --quiet --disable-pip-version-check")
serve_ports
wrong_ports "python $root/clients/python/tests/conformance.py" || die "a wrong port is not named"
survive "$(command_of python 'QUIVER_SERVER=')"
end_server
