#!/usr/bin/env bash
# All attackers of the gateway for half a minute, beside 200 boards and 200 phones, of whose calls none
# fails. tools/soak --only gateway is the long form.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/tools/soak" --only gateway --gateway 20
