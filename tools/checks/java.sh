#!/usr/bin/env bash
# Builds the Java client, and tests it against a real server, plain and over TLS, by the cases for
# clients, and by the commands of its README over kills of the server.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
client="$root/clients/java"
jar=${PROTOBUF_JAR:-/usr/share/java/protobuf.jar}
build="$data/build"
"$client/build.sh" "$build" >"$data/output" 2>&1 || die "build.sh failed" "$data/output"
path="$build/quiver.jar:$jar"
javadoc -quiet -Xdoclint:all -Werror -cp "$build/classes:$jar" -d "$data/javadoc" "$client"/src/quiver/*.java \
  "$build"/gen/quiver/*.java >"$data/output" 2>&1 || die "javadoc complains" "$data/output"
grep -q 'above 0, at most 100' "$build/gen/quiver/v1/Riser.java" || die "the comments of fields are not in the messages"
# Clients of several threads share nothing that changes.
# shellcheck disable=SC2046 # the names of classes are words
shared=$(javap -p -cp "$path" $(cd "$build/classes" && ls quiver/*.class | sed 's|/|.|; s|\.class||') |
  grep -E '^ .*static [^{(]*;$' | grep -v ' final ' || true)
[[ -z $shared ]] || die "fields that all clients share: $shared"
mkdir "$data/classes"
javac -Xlint:all -Werror -proc:none -cp "$path" -d "$data/classes" "$client"/tests/*.java \
  "$client"/examples/*.java
java=(java -cp "$path:$data/classes")

# Kills the server when the program has printed so many lines that begin so, for each WORDS/COUNT.
kill_at() {
  local program=$1 line
  for line in "${@:2}"; do
    until [[ $(grep -c "^${line%%/*}" "$data/printed") -ge ${line##*/} ]]; do
      kill -0 "$program" 2>/dev/null || die "the program has ended" "$data/errors"
      sleep 0.02
    done
    kill -KILL "$server"
    wait "$server" || true
    serve --diagnostics
  done
  wait "$program" || die "the program failed" "$data/errors"
}

certificates="$data/certificates"
"$root/tools/dev-certificates" --out "$certificates" >/dev/null
serve_ports --diagnostics
tls_address="tls://127.0.0.1:$tls_port"
timeout 120 "${java[@]}" LiveTest "$QUIVER_SERVER" "$QUIVER_TOKEN_FILE" >&2 || die "LiveTest failed"
QUIVER_CA="$certificates/ca.pem" timeout 120 "${java[@]}" LiveTest "$tls_address" "$QUIVER_TOKEN_FILE" >&2 ||
  die "LiveTest over TLS failed"
timeout 300 "${java[@]}" quiver.ClientTest "$QUIVER_SERVER" "$QUIVER_TOKEN_FILE" "$certificates" \
  "$root/clients/logins" >&2 ||
  die "ClientTest failed"
wrong_ports "${java[*]} Conformance" || die "a wrong port is not named"
timeout 300 "${java[@]}" LiveTest "$QUIVER_SERVER" "$QUIVER_TOKEN_FILE" kills >"$data/printed" 2>"$data/errors" &
kill_at $! kill/1 kill/2

# The README's commands, with two kills of the server during the tournament.
"${java[@]}" First >&2 || die "the first example failed"
stored_login "${java[@]}" First
. "$root/tools/checks/readme_commands"
make_checkout java
ln -s "$build" "$checkout/clients/java/build"
survive "$(command_of java 'jars=')
$(command_of java 'QUIVER_SERVER=')"
end_server

if ! "$QUIVER_PROGRAMS/quiver-conformance" --client "${java[*]} Conformance" \
  --vectors "$root/Protos/vectors" --certificates "$certificates" --parallel 6 >"$data/cases"; then
  grep -v ^ok "$data/cases" >&2
  exit 1
fi
# A name server that does not answer holds up no deadline.
gcc -shared -fPIC -o "$data/slow_lookup.so" "$root/clients/c/tests/slow_lookup.c"
"$QUIVER_PROGRAMS/quiver-conformance" --vectors "$root/Protos/vectors" --only D10 \
  --client "env LD_PRELOAD=$data/slow_lookup.so ${java[*]} Conformance" >"$data/output" ||
  die "D10 failed" "$data/output"
# The Java platform has no zstd: the client lists none, and its cases cannot run.
! grep ^skip "$data/cases" | grep -v '^skip U0[1-4]\|^skip N[0-9]* .*compress' >&2 ||
  die "other cases were skipped"
echo "Java client (without compression): $(tail -1 "$data/cases")" >&2
