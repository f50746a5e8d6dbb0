#!/usr/bin/env bash
# Makes src/messages.js and src/services.js from Protos/.
#
# usage: generate.sh [FOLDER]     FOLDER instead of src
set -euo pipefail
client=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${QUIVER_PYTHON:-python3}    # with protobuf
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#!/bin/sh\nexec "%s" -B "%s"\n' "$python" "$client/plugin/protoc_gen_quiver_js.py" >"$scratch/plugin"
chmod +x "$scratch/plugin"
cd "$client/../../Protos"
protoc --proto_path=. --plugin=protoc-gen-quiver_js="$scratch/plugin" --quiver_js_out="${1:-$client/src}" \
  quiver/v1/*.proto
