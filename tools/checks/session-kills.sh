#!/usr/bin/env bash
# Kills two devices that edit and sync 20 times, and compares their stores and the server's with the
# acknowledged edits; then shows that lost and doubled edits are found. tools/soak --only session is
# the long form.
set -euo pipefail
kills="$QUIVER_PROGRAMS/session-kills"
"$kills" run --kills 20 --seed "${QUIVER_SEED:-$((RANDOM + 1))}"

# Prints nothing if devices with this defect are found out by a finding that matches the pattern.
must_find() {
  local defect=$1 pattern=$2 output
  if output=$("$kills" run --kills 3 --seed 1 --plant "$defect"); then
    echo "$output"
    echo "edits that are $defect were not found"
    return 1
  fi
  grep -qE "$pattern" <<<"$output" || { echo "$output"; return 1; }
}
must_find lost 'on a device: .*: expected .*, found'
must_find double 'a device has riser .* twice|the server has riser .* twice'
