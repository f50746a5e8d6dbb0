#!/usr/bin/env bash
# The example package, as it was built from outside, against a server.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
example="$root/.build/examples/examples/debug/risers"
. "$root/tools/checks/served"
serve

printed=$("$example" Hoyt Formula "$data/admin.token")
[[ $printed == *"created 1: Hoyt Formula"* ]] || { echo "risers printed: $printed" >&2; exit 1; }

if printed=$("$example" "" Formula "$data/admin.token" 2>&1); then
  echo "risers took a blank brand" >&2
  exit 1
fi
[[ $printed == *"INVALID_ARGUMENT from the server"* ]] || { echo "risers printed: $printed" >&2; exit 1; }

# What is wrong with the arguments, or with the output, is said in a sentence and by the exit code.
ends() {
  local wanted=$1 code=0 printed
  shift
  printed=$("$example" "$@" 2>&1 >/dev/full) || code=$?
  [[ $code == "${wanted%% *}" && $printed == *"${wanted#* }"* ]] ||
    { echo "risers $* ended with $code: $printed" >&2; exit 1; }
}
ends "64 usage: risers BRAND MODEL [TOKEN-FILE]"
ends "64 usage: risers BRAND MODEL [TOKEN-FILE]" --help
ends "64 usage: risers BRAND MODEL [TOKEN-FILE]" Hoyt Formula "$data/admin.token" more
ends "64 cannot read" Hoyt Formula "$data/none"
# Without a file the token is that of the environment, else that of quiver login for this server.
unset QUIVER_TOKEN_FILE
export XDG_CONFIG_HOME="$data/config"
ends "64 there is no token" Hoyt Formula
quiver login check --token-file "$data/admin.token" >/dev/null
ends "74 cannot write" Hoyt Formula
(unset QUIVER_SERVER && "$example" Hoyt Formula >/dev/null)
export QUIVER_CONTEXT=other
ends "64 there is no context other" Hoyt Formula
unset QUIVER_CONTEXT
ends "74 cannot write standard output" Hoyt Formula "$data/admin.token"
end_server
