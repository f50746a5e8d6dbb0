#!/usr/bin/env bash
# Stores of earlier versions, opened, migrated, verified and read by the programs of now.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/tools/store-fixture" check
