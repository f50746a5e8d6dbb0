#!/usr/bin/env bash
# The eight tasks of first_tasks/tasks.txt by the commands of first_tasks/commands.txt: each command is found by
# a search of the help, every flag that it uses is on its page, and it succeeds.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
programs=${QUIVER_PROGRAMS:-$root/.build/debug}
quiver=$programs/quiver
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
unset XDG_CONFIG_HOME XDG_DATA_HOME QUIVER_TOKEN_FILE QUIVER_CONTEXT QUIVER_EVENT QUIVER_SERVER

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
QUIVER_SERVER=$(sed -n 's/.* event=listening .*address=\([^ ]*\).*/\1/p' log | sed -n 1p)
export QUIVER_SERVER

{
  echo bib,name,club,category
  for bib in {1..24}; do
    categories=(RM RM RM RW CM CW)
    echo "$bib,Archer $bib,City,${categories[bib % 6]}"
  done
} >entries.csv
printf '%s\n' 14 16 17 18 19 20 21 22 23 24 >there.txt
# Each archer shoots a total of their own.
for end in {1..20}; do
  for bib in {1..24}; do
    [[ $bib != 13 ]] || continue
    echo "n $bib"
    if ((end * 24 < bib * 20)); then echo 9 9 9; else echo 10 9 9; fi
  done
done >scores.txt
printf '10 10 9\n9 9 9\n10 10 9\n9 9 9\n10 10 9\n9 9 9\nconfirm\n' >match.txt

tasks=0 commands=0 wanted=
while IFS= read -r line; do
  case $line in
    '#'* | '') continue ;;
    'task '*) tasks=$((tasks + 1)) && continue ;;
    '? '*) wanted=${line#'? '} && continue ;;
  esac
  # shellcheck disable=SC2086 # words
  "$quiver" help $wanted >found || die "quiver help $wanted finds nothing"
  words=${line%% <*}
  name=
  for count in 3 2 1; do
    candidate=$(cut -d ' ' -f "1-$count" <<<"$words")
    if grep -qE "^ *$candidate(  |\$)" found || grep -q "^usage: quiver $candidate " found; then
      name=$candidate && break
    fi
  done
  [[ -n $name ]] || die "quiver help $wanted does not find the command of: $line"
  # shellcheck disable=SC2086 # words
  { "$quiver" $name --help && "$quiver" help flags; } >page
  for flag in $(grep -oE ' --[a-z-]+' <<<"$words"); do
    # Flags of types of equipment stand beside each other.
    grep -qE -- "(  |, )$flag( |,|\$)" page || die "the page of $name does not have $flag"
  done
  eval "\"$quiver\" $line" >out 2>&1 || die "quiver $line failed"
  commands=$((commands + 1))
done <"$root/tools/checks/first_tasks/commands.txt"
[[ $tasks -eq $(grep -cE '^[0-9]\. ' "$root/tools/checks/first_tasks/tasks.txt") ]] ||
  die "$tasks tasks were done"
echo "$tasks first-time tasks done in $commands commands that the help finds"
