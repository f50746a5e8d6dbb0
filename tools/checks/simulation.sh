#!/usr/bin/env bash
# A thousand seeds of two ends over a hostile wire, and 200 with TLS; what fails is printed with its
# seed.
set -euo pipefail

"$QUIVER_PROGRAMS/simulation" --seeds 1000 >&2
"$QUIVER_PROGRAMS/simulation" --tls --seeds 200 >&2
