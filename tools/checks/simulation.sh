#!/usr/bin/env bash
# A thousand seeds of two ends over a hostile wire; what fails is printed with its seed.
set -euo pipefail

"$QUIVER_PROGRAMS/simulation" --seeds 1000 >&2
