#!/usr/bin/env bash
# The wire-level cases for clients, with the Swift client; all must pass.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
if ! "$QUIVER_PROGRAMS/quiver-conformance" --client "$QUIVER_PROGRAMS/conformance-client" \
  --vectors "$root/Protos/vectors" >"$printed"; then
  grep -v ^ok "$printed" >&2
  exit 1
fi
echo "Swift client: $(tail -1 "$printed")" >&2
