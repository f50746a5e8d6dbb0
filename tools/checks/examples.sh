#!/usr/bin/env bash
# The example package, as it was built from outside, against a server.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
example="$root/.build/examples/examples/debug/risers"
. "$root/tools/checks/served"
serve

printed=$("$example" Hoyt Formula "$data/admin.token")
[[ $printed == *"created 1: Hoyt Formula"* ]] || { echo "risers printed: $printed" >&2; exit 1; }

if printed=$("$example" "" Formula "$data/admin.token"); then
  echo "risers took a blank brand" >&2
  exit 1
fi
[[ $printed == *"INVALID_ARGUMENT from the server"* ]] || { echo "risers printed: $printed" >&2; exit 1; }
end_server
