#!/usr/bin/env bash
# A strength log and a weight log, in and out: the moving bar, the records, the trend.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/checks/served"
serve

# 20,000 lines of ten years, with a record that is reached twice, and a name with a comma.
awk 'BEGIN {
  split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", months, " ")
  for (i = 0; i < 19998; i++) {
    day = int(i / 6)
    name = i % 2 ? "Squat" : "\"Press, paused\""
    printf "%s %02d %d,%s,%d,%d,%.1f\n", months[int(day / 28) % 12 + 1], day % 28 + 1,
      2010 + int(day / 336), name, i % 5 + 1, i % 10 + 1, 100 + i % 120 * 2.5
    if (i == 6000 || i == 12000) printf "Feb 28 %d,Squat,1,1,%d\n", 2010 + i / 1000, 700
  }
}' >"$data/strength.log"

QUIVER_BAR="$QUIVER_PROGRAMS/quiver strength import $data/strength.log"
script -qec "$QUIVER_BAR" /dev/null </dev/null | tr '\r' '\n' >"$data/printed"
expect '^\[#{30}\] 100 % 20000 lines'
expect '20000 lines: added 20000, unchanged 0'
steps=$(grep -oE '^\[[#-]{30}\] [0-9]+ %' "$data/printed" | sort -u | wc -l)
[[ $steps -ge 4 ]] || { echo "the bar moved $steps times only" >&2; exit 1; }

quiver strength import "$data/strength.log" >"$data/printed" 2>&1
expect '^20000 lines: added 0, unchanged 20000$'
quiver strength list >"$data/printed"
expect '^Press, paused +9999 '
expect '^Squat +10001 +700\.00 +2016-02-28 '
quiver strength show Squat --window 31 >"$data/printed"
expect '^record 700\.00 lb on 2016-02-28, 1 x 700\.00 lb$'
[[ $(wc -l <"$data/printed") == 34 ]] || { cat "$data/printed" >&2; exit 1; }

# Worked by hand: an average of span 3 goes half the way to each day's mean.
printf '%s\n' 2024-03-30,180,lb 2024-03-31,181,lb 2024-03-31,183,lb 2024-04-01,179,lb |
  quiver logbook import - >"$data/printed"
expect '^added 4, unchanged 0$'
quiver call GetWeightChart '{"unit":"WEIGHT_UNIT_POUND","span":3}' --compact >"$data/printed"
expect '"meanThousandths":182000,"averageThousandths":181000'
expect '"meanThousandths":179000,"averageThousandths":180000'
quiver logbook weights --unit lb >"$data/printed"
expect '^2024-04-01 +Mon +179 '
[[ $(grep -cE '^2024-0[34]$' "$data/printed") == 2 ]] || { cat "$data/printed" >&2; exit 1; }

# Without a day and a zone it is today here.
before=$(date +%F)
quiver logbook add 80.5 --unit kg >"$data/printed"
expect "^added [0-9]+: ($before|$(date +%F)) 80\.5 kg$"
quiver admin verify >"$data/printed"
expect '^logbook +ok$'
end_server
