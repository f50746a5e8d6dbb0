#!/usr/bin/env bash
# The other checks of a served archer's data, over TLS: the sample tournament, the logs, the
# comparison.
set -euo pipefail
folder=$(dirname "${BASH_SOURCE[0]}")
for check in tournament logbook comparison; do
  QUIVER_CHECK_TLS=1 bash "$folder/$check.sh" || {
    echo "tools/checks/$check.sh fails over TLS" >&2
    exit 1
  }
done
