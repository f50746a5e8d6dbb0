#!/usr/bin/env bash
# Two servers on one database of PostgreSQL: what one stores the other one reads and shows in a watch,
# a call that both get at once has its effect once, a conflict is run again, and a killed server loses
# nothing that was acknowledged.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"

mkfifo "$data/input"
"$root/tools/postgres" serve <"$data/input" >"$data/database" 2>&1 &
exec 9>"$data/input"
until grep -q '^ready$' "$data/database"; do
  jobs -r | grep . >/dev/null || die "tools/postgres serve ended" "$data/database"
  sleep 0.1
done
url=$(sed -n 's/^socket=//p' "$data/database")
psql=$(compgen -G '/usr/lib/postgresql/*/bin/psql' | tail -1 || command -v psql)
sql() { "$psql" --no-psqlrc --quiet --tuples-only --no-align "$url" --command "$1"; }

refused() {
  local sentence=$1
  shift
  ! "$QUIVER_PROGRAMS/quiverd" --data "$data/none" --listen "unix:$data/none.socket" "$@" \
    >"$data/printed" 2>&1 9>&- || die "quiverd $* is not refused"
  expect "$sentence"
}
refused 'PGPASSFILE' --database 'postgres://quiver:secret@localhost/quiver'
! grep -q secret "$data/printed" || die "the password is printed" "$data/printed"
refused 'quiverd init --database' --database "$url"

# serve_at NAME FLAGS… starts a server with this name.
declare -A servers=()
serve_at() {
  local name=$1
  shift
  "$QUIVER_PROGRAMS/quiverd" --data "$data/$name" --database "$url" --listen "unix:$data/$name.socket" \
    --metrics 127.0.0.1:0 "$@" 2>>"$data/$name.log" 9>&- &
  servers[$name]=$!
  quiver health --server "unix:$data/$name.socket" --wait 30 >/dev/null ||
    die "quiverd $name does not serve" "$data/$name.log"
}
at() {
  local name=$1
  shift
  quiver "$@" --server "unix:$data/$name.socket"
}

export QUIVER_TOKEN_FILE="$data/a/admin.token"
serve_at a --init
serve_at b
[[ ! -e $data/b/admin.token ]] || die "the second server has made an administrator"
at a token create --name Robin --kind user --label check >"$data/robin" ||
  die "no token was made" "$data/a.log"
grep -o 'qv_[A-Za-z0-9_-]*' "$data/robin" | sed -n 1p >"$data/robin.token"
export QUIVER_TOKEN_FILE="$data/robin.token"

# A watch at one server of what the other one stores.
at b call Equipment/WatchItems -d '{}' --max 6 --compact >"$data/watched" 2>"$data/watch.errors" &
watch=$!
until [[ -s $data/watched ]]; do
  kill -0 "$watch" 2>/dev/null || die "the watch ended" "$data/watch.errors"
  sleep 0.05
done
at a equipment add riser --brand Hoyt --model Formula --quiet >/dev/null
at b equipment list riser >"$data/printed"
expect 'Hoyt'
for ((seconds = 0; seconds < 100; seconds++)); do
  ! grep -q Hoyt "$data/watched" || break
  sleep 0.1
done
grep -q Hoyt "$data/watched" || die "the watch at b does not show what a stored" "$data/watched"
kill "$watch" 2>/dev/null || true

# The same call at both servers at once.
riser='{"riser": {"brand": "Once", "model": "M"}}'
for number in 1 2 3 4 5; do
  key=$(printf '%032x' "$((number + 77))")
  at a call CreateRiser -d "$riser" --idempotency-key "$key" --compact >"$data/reply.a" &
  first=$!
  at b call CreateRiser -d "$riser" --idempotency-key "$key" --compact >"$data/reply.b" ||
    die "b refused a call that a got too" "$data/b.log"
  wait "$first" || die "a refused a call that b got too" "$data/a.log"
  cmp -s "$data/reply.a" "$data/reply.b" || die "one call has two replies" "$data/reply.a"
done
count_of() { at "$1" equipment list riser --output csv | grep -c "$2" || true; }
[[ $(count_of a Once) == 5 ]] || die "five calls made $(count_of a Once) risers"

# A transaction of another program changes what a command changes too: the command waits for it,
# cannot be ordered behind it, and runs again.
sql "BEGIN; UPDATE usage SET written_bytes = written_bytes; SELECT pg_sleep(1); COMMIT" >/dev/null &
other=$!
until [[ $(sql "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1)%'
  AND wait_event = 'PgSleep'") == 1 ]]; do sleep 0.05; done
at a equipment add riser --brand Again --model M --quiet >/dev/null || die "the command was refused"
wait "$other"
metrics=$(sed -n 's/.*metrics-listening.*address=\([0-9.:]*\).*/\1/p' "$data/a.log" | tail -1)
conflicts=$(curl --silent --noproxy '*' --max-time 10 "http://$metrics/metrics" |
  sed -n 's/^quiver_database_conflicts_total //p')
[[ ${conflicts%.*} -ge 1 ]] || die "no conflict was counted: $conflicts"

# A server that is killed while it stores: the other one has all that it has acknowledged.
for ((number = 1; number <= 40; number++)); do
  at a equipment add riser --brand "Kept$number." --model M --quiet >/dev/null 2>&1 || break
  echo "$number" >"$data/acknowledged"
done &
writer=$!
until [[ -s $data/acknowledged && $(<"$data/acknowledged") -ge 5 ]]; do sleep 0.02; done
kill -9 "${servers[a]}"
wait "${servers[a]}" 2>/dev/null || true
wait "$writer" || true
last=$(<"$data/acknowledged")
at b equipment list riser --output csv >"$data/printed"
for ((number = 1; number <= last; number++)); do expect "Kept$number\\."; done

# It starts again, and all connections of both end at once.
serve_at a
sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
  WHERE application_name = 'quiverd'" >/dev/null
for name in a b; do
  at "$name" equipment add riser --brand "After$name" --model M --quiet >/dev/null ||
    die "$name does not store after its connections ended" "$data/$name.log"
done
[[ $(count_of b After) == 2 ]] || die "not all is there after the connections ended"
QUIVER_TOKEN_FILE="$data/a/admin.token" at b admin verify >"$data/printed" ||
  die "what is stored is not right" "$data/printed"

# The store of a server on SQLite moves to another database, with its tokens and what they store.
QUIVER_SERVER="unix:$data/old.socket" QUIVER_TOKEN_FILE="$data/old/admin.token"
export QUIVER_SERVER QUIVER_TOKEN_FILE
"$QUIVER_PROGRAMS/quiverd" --init --data "$data/old" --listen "$QUIVER_SERVER" 2>>"$data/old.log" 9>&- &
server=$!
quiver health --wait 30 >/dev/null || die "quiverd on SQLite does not serve" "$data/old.log"
quiver equipment add riser --brand Moved --model M --quiet >/dev/null
end_server
sql 'CREATE DATABASE moved'
moved=${url/\/quiver\?//moved?}
"$QUIVER_PROGRAMS/quiverd" migrate --data "$data/old" --database "$moved" >"$data/printed" 9>&- ||
  die "the store was not copied" "$data/printed"
expect 'copied [0-9]+ rows of [0-9]+ tables'
"$QUIVER_PROGRAMS/quiverd" --data "$data/new" --database "$moved" --listen "$QUIVER_SERVER" \
  2>>"$data/new.log" 9>&- &
server=$!
quiver health --wait 30 >/dev/null || die "quiverd does not serve the copied store" "$data/new.log"
quiver equipment list riser >"$data/printed"
expect 'Moved'
quiver admin verify >"$data/printed" || die "what was copied is not right" "$data/printed"
end_server

# And back to a directory, where a server on SQLite goes on with it.
"$QUIVER_PROGRAMS/quiverd" migrate to-sqlite --data "$data/back" --database "$moved" >"$data/printed" \
  9>&- || die "the store was not copied back" "$data/printed"
expect 'copied [0-9]+ rows of [0-9]+ tables'
"$QUIVER_PROGRAMS/quiverd" --data "$data/back" --listen "$QUIVER_SERVER" 2>>"$data/back.log" 9>&- &
server=$!
quiver health --wait 30 >/dev/null || die "quiverd does not serve what was copied back" "$data/back.log"
quiver equipment list riser >"$data/printed"
expect 'Moved'
quiver admin verify >"$data/printed" || die "what was copied back is not right" "$data/printed"
end_server

for name in a b; do
  status=0
  kill -TERM "${servers[$name]}"
  wait "${servers[$name]}" || status=$?
  [[ $status == 0 ]] || die "quiverd $name ended with $status" "$data/$name.log"
done
exec 9>&-
