#!/usr/bin/env bash
# quiver top on a pseudo-terminal and as lines of JSON, and the views of quiver admin, of a server
# with calls.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
mkdir -p "$data/backups"
serve --diagnostics --backup-directory "$data/backups"
"${QUIVER_PYTHON:-python3}" "$root/tools/checks/top_view.py" "$QUIVER_PROGRAMS" ||
  die "quiver top or quiver admin does not show what the server does" "$data/log"
end_server
