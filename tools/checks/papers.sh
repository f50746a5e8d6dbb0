#!/usr/bin/env bash
# Papers of an event printed by Chromium: pdftotext finds every name, in five scripts, and a QR code
# is read back from a picture.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
serve
"${QUIVER_PYTHON:-python3}" "$root/tools/checks/papers.py" "$QUIVER_PROGRAMS/quiver" "$data"
end_server
