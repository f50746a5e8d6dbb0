#!/usr/bin/env bash
# The sample tournament played in order, at random, with duplicates and over broken connections, its
# standings under three policies compared with those that awk ranks from the file, and watched.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
sample="$root/Tests/Fixtures/tournament/sample.csv"
. "$root/tools/checks/served"
# The plays in order and at random, the watch, and the other plays.
pids=()

# Rows of `rank archer total x tens`: by total, then by the counts of two cells, where a 10 counts X
# too; who is equal in all shares a rank and stands as in the file.
golden() {
  awk -F, -v first="$1" -v second="$2" '
    NR > 1 {
      split("", count); total = 0
      for (i = 2; i <= NF; i++) {
        count[$i]++
        if ($i == "X") count["10"]++
        total += $i == "X" ? 10 : $i == "M" ? 0 : $i
      }
      printf "%05d.%03d.%03d %d %s %d %d %d\n", total, count[first], count[second], NR, $1, total,
        count["X"], count["10"]
    }' "$sample" | sort -k1,1r -k2,2n | awk '
    $1 != key { key = $1; rank = NR }
    { print rank, $3, $4, $5, $6 }'
}
golden X 10 >"$data/X_FIRST"
golden 10 9 >"$data/WA_INDOOR"
golden 10 X >"$data/WA_OUTDOOR_LEGACY"
[[ $(wc -l <"$data/X_FIRST") -ge 60 ]] || die "the sample has too few archers"
for policy in WA_INDOOR WA_OUTDOOR_LEGACY; do
  ! cmp -s "$data/X_FIRST" "$data/$policy" || die "the sample does not tell $policy from X_FIRST"
done

serve

# Starts to play the sample.
play() {
  local name=$1
  shift
  "$QUIVER_PROGRAMS/quiver" tournament replay "$sample" "$@" >"$data/$name.rows" \
    2>"$data/$name.errors" &
  pids+=($!)
}
event_of() {
  local id=''
  for _ in $(seq 300); do
    id=$(sed -n 's/^tournament \([0-9]*\),.*/\1/p' "$data/$1.errors" 2>/dev/null || true)
    [[ -z $id ]] || break
    sleep 0.1
  done
  [[ -n $id ]] || die "no event was made" "$data/$1.errors"
  echo "$id"
}

plays=(order random duplicate disconnect)
policies=(X_FIRST WA_INDOOR WA_OUTDOOR_LEGACY X_FIRST)
play order --policy X_FIRST
play random --policy WA_INDOOR --order random --seed 7
watched=$(event_of order)
"$QUIVER_PROGRAMS/quiver" tournament watch "$watched" --top 200 --until-final \
  >"$data/watch" 2>"$data/watch.errors" &
pids+=($!)
wait "${pids[0]}" || die "the play in order failed" "$data/order.errors"
play duplicate --policy WA_OUTDOOR_LEGACY --duplicate
wait "${pids[1]}" || die "the play at random failed" "$data/random.errors"
play disconnect --policy X_FIRST --order random --seed 8 --disconnect-every 7
wait "${pids[3]}" || die "the play with duplicates failed" "$data/duplicate.errors"
wait "${pids[4]}" || die "the play over broken connections failed" "$data/disconnect.errors"

# Every play under its own policy as it printed its rows, and under all three as the server ranks.
for index in "${!plays[@]}"; do
  name=${plays[$index]}
  policy=${policies[$index]}
  cmp -s "$data/$name.rows" "$data/$policy" ||
    die "the play $name printed other standings than $policy has" "$data/$name.rows"
  id=$(event_of "$name")
  for policy in X_FIRST WA_INDOOR WA_OUTDOOR_LEGACY; do
    quiver tournament rank "$id" --policy "$policy" |
      awk 'NR > 1 { print $1, $3, $4, $5, $6 }' >"$data/ranked"
    cmp -s "$data/ranked" "$data/$policy" ||
      die "the play $name is ranked otherwise by $policy" "$data/ranked"
  done
done

# A line for each row that changed: what is said last of everybody are the final totals, and they were
# seen on the way there. How many steps a watch shows of it depends on how fast the play is.
wait "${pids[2]}" || die "the watch failed" "$data/watch.errors"
awk '{ last[$2] = $3 " " $4 " " $5 } END { for (name in last) print name, last[name] }' \
  "$data/watch" | sort >"$data/seen"
awk '{ print $2, $3, $4, $5 }' "$data/X_FIRST" | sort >"$data/final"
cmp -s "$data/seen" "$data/final" || die "the watch ended in other standings" "$data/seen"
moved=$(awk '{ if ($2 in total && total[$2] != $3) moves[$2]++; total[$2] = $3 }
  END { for (name in moves) count++; print count + 0 }' "$data/watch")
[[ $moved -ge 1 ]] || die "no archer was seen to move" "$data/watch"
end_server
echo "4 plays under 3 policies alike; $moved archers were seen to move" >&2
