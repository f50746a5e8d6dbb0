#!/usr/bin/env bash
# An indoor event of 60 archers with a bracket of 16, from the first command to the results, in at most
# 40 commands of quiver and without one id.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
programs=${QUIVER_PROGRAMS:-$root/.build/debug}
folder=$(mktemp -d)
server=
finish() {
  [[ -z $server ]] || kill "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
export HOME=$folder TZ=UTC LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME XDG_DATA_HOME QUIVER_SERVER QUIVER_TOKEN_FILE QUIVER_CONTEXT QUIVER_EVENT

die() {
  printf '%s\n' "$*" >&2
  [[ ! -s out ]] || tail -n 20 out >&2
  exit 1
}

"$programs/quiverd" --init --data data --listen 127.0.0.1:0 2>log &
server=$!
for _ in {1..150}; do
  grep -q ' event=serving ' log && break
  kill -0 "$server" 2>/dev/null || die "quiverd ended: $(cat log)"
  sleep 0.2
done
address=$(sed -n 's/.* event=listening .*address=\([^ ]*\).*/\1/p' log | sed -n 1p)

most=40
count=0
# Runs one command, which must succeed; its output is in the file `out`.
q() {
  count=$((count + 1))
  [[ " $* " != *' --id '* && " $* " != *' #'* ]] || die "command $count names an id: $*"
  "$programs/quiver" "$@" >out 2>&1 || die "command $count failed: quiver $*"
}
# The output of the last command has a line with this text.
has() { grep -qF -- "$1" out || die "command $count: no line has: $1"; }

# The archers of four categories, of whom 24 shoot in recurve men, and what they shoot: each archer has
# an average of their own, so that no tie is across the cut.
python3 - <<'PYTHON'
import random
dice = random.Random(40)
first = "Ann Ben Cleo Dirk Eva Finn Gail Hugo Ines Jan Kim Lea Max Nora Otto Pia".split()
last = "Archer Bow Carter".split() + ["Dale"]
entries, bibs, scores = ["bib,name,club,category"], [], []
for bib in range(1, 61):
    category = "RM" if bib <= 24 else ("RW", "CM", "CW")[bib % 3]
    club = ("City", "North", "South", "West")[bib % 4]
    entries.append(f"{100 + bib},{first[bib % 16]} {last[bib // 16]},{club},{category}")
    if bib > 40:
        bibs.append(str(100 + bib))
for end in range(20):
    for bib in range(1, 61):
        arrows = sorted((10 - (dice.random() < bib / 60) - (dice.random() < bib / 90)
                         for _ in range(3)), reverse=True)
        scores += [f"n {100 + bib}", " ".join(map(str, arrows))]
open("entries.csv", "w").write("\n".join(entries) + "\n")
open("there.txt", "w").write("bib\n" + "\n".join(bibs) + "\n")
open("scores.txt", "w").write("\n".join(scores) + "\n")
# The first side wins in three sets; the last line confirms both cards.
open("match.txt", "w").write("10 10 9\n9 9 9\n" * 3 + "confirm\n")
PYTHON

q login club --server "$address" --token-file data/admin.token
q event create Indoor --round wa18 --categories RM,RW,CM,CW --targets 1-16 --starts 2026-12-05T09:30
q event import Indoor entries.csv
has '60 entries'
q event draw Indoor Qualification random --waiting
q event paper Indoor target-list targets.html
q event paper Indoor score-cards cards.html
q event check-in 101-140
has '40 archers are checked-in'
q event check-in --from there.txt
has '20 archers are checked-in'
q event steps Indoor
q event start Indoor
q tournament score Indoor <scores.txt
q event line Indoor
q event standings Indoor --category RM
q event cut Indoor RM 16 individual-sets
has 'RM-16-8'
q event targets RM 1/8 1 --targets 1 --starts 2026-12-05T14:00
for match in 1 2 3 4 5 6 7 8; do
  q event match score RM-16-$match <match.txt
  has confirmed
done
q event targets RM quarterfinals 1 --targets 2
for match in 1 2 3 4; do q event match score RM-8-$match <match.txt; done
q event match score RM-4-1 <match.txt
q event match score RM-4-2 <match.txt
q event match score RM-bronze <match.txt
q event match score RM-gold <match.txt
q event match RM-gold
has '10 10 9'
q event bracket RM
has '1 '
q event finalise Indoor --anyway
q event paper Indoor results results.html
q event export Indoor standings standings.csv

[[ $count -le $most ]] || die "$count commands were needed, more than $most"
for file in targets.html cards.html results.html; do
  grep -q 'Ann ' "$file" || die "$file does not name Ann"
done
[[ $(wc -l <standings.csv) -eq 61 ]] || die "standings.csv has $(wc -l <standings.csv) lines"
echo "an event of 60 archers with a bracket of 16 in $count commands without an id"
