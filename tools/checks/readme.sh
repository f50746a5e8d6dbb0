#!/usr/bin/env bash
# Runs README.md as it is written, top to bottom, against one server that the README starts.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"${QUIVER_PYTHON:-python3}" "$root/tools/checks/readme.py" --self-test
"${QUIVER_PYTHON:-python3}" "$root/tools/checks/readme.py" "$root" "$QUIVER_PROGRAMS"
