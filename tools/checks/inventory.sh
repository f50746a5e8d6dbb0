#!/usr/bin/env bash
# The example service, as it was built from outside: no archery in its programs, and all of it runs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
built="$root/.build/examples/inventory/debug"
programs=${QUIVER_PROGRAMS:-$root/.build/debug}

# A module is in a mangled name behind the length of its name.
archery=$(cd "$root/Sources/Archery" && for module in *; do printf '%s%s|' "${#module}" "$module"; done)
for program in inventory-server inventory-client; do
  symbols=$(nm "$built/$program")
  grep -qE '9QuiverRPC' <<<"$symbols" || { echo "$program has no symbols to check" >&2; exit 1; }
  if found=$(grep -E "s(${archery%|})[A-Z0-9]" <<<"$symbols" | sed -n 1,3p) && [[ -n $found ]]; then
    printf '%s links the archery services:\n%s\n' "$program" "$found" >&2
    exit 1
  fi
done

printed=$("$root/tools/examples/inventory/run" "$built" "$programs")
[[ $printed == *"arrow: 12"* && $printed == *"listed arrow"* && $printed == *"1600 calls in"* &&
  $printed == *'by the gateway: {"sku":"arrow","quantity":"12"}'* ]] ||
  { echo "the example printed: $printed" >&2; exit 1; }
