#!/usr/bin/env bash
# Three servers on PostgreSQL with a streaming replica: a scenario with every kind of call loses and
# doubles nothing; and while calls are stored at all of them, a server and then the primary are killed,
# and the replica is promoted. All that was acknowledged is there once.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"

mkfifo "$data/input"
"$root/tools/cluster" --programs "$QUIVER_PROGRAMS" <"$data/input" >"$data/cluster" 2>&1 &
cluster=$!
exec 9>"$data/input"
until grep -q '^ready$' "$data/cluster"; do
  kill -0 "$cluster" 2>/dev/null || die "tools/cluster ended" "$data/cluster"
  sleep 0.1
done
value_of() { sed -n "s/^$1=//p" "$data/cluster"; }
directory=$(value_of directory)
IFS=, read -r -a servers <<<"$(value_of servers)"
read -r -a processes <<<"$(value_of processes)"
QUIVER_TOKEN_FILE=$(value_of token-file)
export QUIVER_TOKEN_FILE

# Every kind of call at one of them, while the others have no calls.
"$QUIVER_PROGRAMS/quiver-load" run "$root/tools/load/scenarios/smoke.json" --server "${servers[2]}" \
  --quiet >"$data/report" 2>&1 9>&- || die "the scenario failed" "$data/report"
grep -q '^verified   nothing is lost, doubled or reordered$' "$data/report" ||
  die "something is lost, doubled or reordered" "$data/report"

# store_at NUMBER stores risers at that server, then at the next one where it does not answer, until
# the check has enough. Each call keeps its key.
store_at() {
  local number=$1 place=$1 count key
  for ((count = 1; ; count++)); do
    key=$(printf '%08x%024x' "$((number + 1))" "$count")
    until quiver call CreateRiser -d '{"riser": {"brand": "S'"$number-$count"'.", "model": "M"}}' \
      --idempotency-key "$key" --server "${servers[place % 3]}" --timeout 5s >/dev/null 2>&1; do
      [[ ! -e $data/enough ]] || return 0
      place=$((place + 1))
      sleep 0.05
    done
    echo "$count" >>"$data/stored.$number"
    [[ ! -e $data/enough ]] || return 0
  done
}
writers=()
for number in 0 1 2; do
  store_at "$number" 9>&- &
  writers+=($!)
done
# await COUNT waits until each of them has stored so many more.
await() {
  local number before
  for number in 0 1 2; do
    before=$(wc -l 2>/dev/null <"$data/stored.$number" || echo 0)
    for ((tenths = 0; ; tenths++)); do
      [[ $(wc -l 2>/dev/null <"$data/stored.$number" || echo 0) -lt $((before + $1)) ]] || break
      [[ $tenths -lt 300 ]] || die "nothing is stored any more" "$directory/server-3.log"
      sleep 0.1
    done
  done
}

await 3
kill -9 "${processes[1]}"
await 3
kill -9 "$(head -1 "$directory/primary/data/postmaster.pid")"
"$root/tools/postgres" promote --directory "$directory/replica" || die "no replica was promoted"
await 3
touch "$data/enough"
for writer in "${writers[@]}"; do wait "$writer"; done

# A server connects again after a pause of two seconds at most.
for number in 0 2; do
  quiver health --wait 30 --server "${servers[number]}" >/dev/null || die "a server did not recover"
done
quiver equipment list riser --output csv --server "${servers[2]}" >"$data/listed"
for number in 0 1 2; do
  while read -r count; do
    found=$(grep -c "S$number-$count\\." "$data/listed" || true)
    [[ $found == 1 ]] || die "S$number-$count was acknowledged and is there $found times"
  done <"$data/stored.$number"
done
quiver admin verify --server "${servers[0]}" >"$data/printed" ||
  die "what is stored is not right" "$data/printed"
echo "three servers, promoted: $(cat "$data"/stored.* | wc -l) calls stored once" >&2
exec 9>&-
wait "$cluster" || die "tools/cluster did not end" "$data/cluster"
