#!/usr/bin/env bash
# The rules of keys, positions, epochs and outboxes as a model: all of its states keep the promises, and
# each seeded bug and known gap is found, with its shortest history.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export PYTHONDONTWRITEBYTECODE=1
"${QUIVER_PYTHON:-python3}" "$root/tools/model/explore.py"
