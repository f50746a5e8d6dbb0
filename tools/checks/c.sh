#!/usr/bin/env bash
# Builds the C client with gcc and clang, installs it, and tests it against a real server: with the
# address, undefined-behaviour and thread sanitizers, by the cases for clients, by hostile servers, by a
# short fuzz run, and by the commands of its README over kills of the server.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
client="$root/clients/c"
build="$data/build"

# quietly COMMAND… prints its output only if it fails.
quietly() {
  "$@" >"$data/output" 2>&1 || die "$* failed" "$data/output"
}

make_c() {
  local place=$1
  shift
  quietly make -C "$client" -j2 BUILD="$build/$place" "$@"
}

make_c gcc CC=gcc PREFIX="$data/prefix" all install examples
make_c sanitized CC=gcc CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined" \
  "$build/sanitized/conformance" "$build/sanitized/live_test" "$build/sanitized/limits_test" \
  "$build/sanitized/login_test" \
  "$build/sanitized/hostile_test"
make_c threads CC=gcc CFLAGS="-O1 -g -fsanitize=thread" "$build/threads/hostile_test"
make_c clang CC=clang all
# Without the optional libraries.
make_c small CC=gcc TLS=0 ZSTD=0 "$build/small/limits_test"

"$build/small/limits_test" >&2 || die "limits_test failed without TLS"

# What the shared library exports is its interface only.
others=$(nm -D --defined-only "$data/prefix/lib/libquiver.so" | awk '$2 ~ /[TDBR]/ {print $3}' |
  grep -v '^quiver_' || true)
[[ -z $others ]] || die "libquiver.so exports $others"

grep -q 'above 0, at most 100' "$data/prefix/include/quiver/v1/riser.pb-c.h" ||
  die "the comments of fields are not in the headers"
# Clients of several threads share nothing: no object of the library has data that can be written. Tables
# of addresses (.data.rel.ro) are written by the loader only.
written=$(objdump -t "$build/gcc/libquiver.a" |
  awk '/ O / && /[ \t](\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && !/\.data\.rel\.ro/ {print $NF}')
[[ -z $written ]] || die "libquiver.a has data that can be written: $written"

"$build/sanitized/login_test" "$root/clients/logins" >&2 || die "login_test failed"
"$root/tools/dev-certificates" --out "$data/certificates" >/dev/null
"$build/sanitized/limits_test" "$data/certificates" >&2 || die "limits_test failed"
seed=${QUIVER_SEED:-$RANDOM$RANDOM}
for kind in sanitized threads; do
  "$build/$kind/hostile_test" 5 "$seed" "$data/certificates" >"$data/output" 2>&1 ||
    die "hostile_test ($kind) failed" "$data/output"
  echo "C client, hostile servers ($kind): $(tr '\n' ' ' <"$data/output")" >&2
done
mkdir "$data/live"
QUIVER_TLS="tls://127.0.0.1:$(free_port)" QUIVER_TLS_CERTIFICATE="$data/certificates/server.pem" \
  QUIVER_TLS_KEY="$data/certificates/server.key" QUIVER_CA="$data/certificates/ca.pem" \
  timeout 300 "$build/sanitized/live_test" "$data/live" >&2 || die "live_test failed"

if ! "$QUIVER_PROGRAMS/quiver-conformance" --client "$build/sanitized/conformance" \
  --vectors "$root/Protos/vectors" --certificates "$data/certificates" --parallel 12 >"$data/cases"; then
  grep -v ^ok "$data/cases" >&2
  exit 1
fi
! grep ^skip "$data/cases" >&2 || die "no case may be skipped here"
echo "C client: $(tail -1 "$data/cases")" >&2
if ! "$QUIVER_PROGRAMS/quiver-conformance" --client "$build/sanitized/conformance --asynchronous" \
  --vectors "$root/Protos/vectors" --parallel 12 >"$data/cases"; then
  grep -v ^ok "$data/cases" >&2
  exit 1
fi
echo "C client, asynchronous calls: $(tail -1 "$data/cases")" >&2

# A name server that does not answer holds up no deadline.
make_c gcc CC=gcc "$build/gcc/conformance"
quietly gcc -shared -fPIC -o "$data/slow_lookup.so" "$client/tests/slow_lookup.c"
quietly "$QUIVER_PROGRAMS/quiver-conformance" --vectors "$root/Protos/vectors" --only D10 \
  --client "env LD_PRELOAD=$data/slow_lookup.so $build/gcc/conformance"

make_c fuzz fuzz
mkdir "$data/corpus"
quietly "$build/fuzz/core_fuzz" -runs=100000 -seed=1 -max_len=4096 -print_final_stats=1 \
  -artifact_prefix="$data/" "$data/corpus"
echo "C client: $(grep -o 'number_of_executed_units: .*' "$data/output")" >&2

# The README's commands, with two kills of the server during the tournament.
. "$root/tools/checks/readme_commands"
make_checkout c
export PKG_CONFIG_PATH="$data/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$data/prefix/lib"
# shellcheck disable=SC2046 # the flags are words
quietly cc -o "$data/first" "$client/examples/first.c" $(pkg-config --cflags --libs quiver)
(cd "$checkout" && quietly bash -c "$(command_of c 'cc -o scorer')")
serve_ports
"$data/first" >&2 || die "the first example failed"
stored_login "$data/first"
# shellcheck disable=SC2046 # the flags are words
quietly cc -o "$data/batch" "$client/examples/batch.c" $(pkg-config --cflags --libs quiver)
wrong_ports "$build/gcc/conformance" || die "a wrong port is not named"
[[ $("$data/batch" 500) == 500 ]] || die "the example of asynchronous calls failed"
survive "$(command_of c 'QUIVER_SERVER=')"
end_server
