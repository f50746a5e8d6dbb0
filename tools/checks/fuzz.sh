#!/usr/bin/env bash
# Half a minute of fuzzing in all; what is found is left in .build/fuzz/findings.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

"$root/tools/fuzz" --seconds 30 >&2
