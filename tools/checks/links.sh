#!/usr/bin/env bash
# Links of the documents name files and headings that exist; the table of decisions has each decision.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
exec python3 -B "$root/tools/checks/links.py" "$root"
