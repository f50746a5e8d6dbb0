#!/usr/bin/env bash
# Manual pages and completions of the programs, as man, groff, mandoc, bash, zsh and fish read them.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
programs=${QUIVER_PROGRAMS:-$root/.build/debug}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die() {
  printf '%s\n' "$1" >&2
  [[ -z ${2:-} ]] || cat "$2" >&2
  exit 1
}

# Completes a line of words by a bash that has read nothing else; the last word is the one that is
# completed.
complete() {
  local program=$1
  shift
  bash --norc -c '
    . "$1"
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    "_${1//-/_}"
    printf "%s\n" "${COMPREPLY[@]}"' bash "$folder/$program.bash" "$program" "$@" | sort | xargs
}

expect() {
  local wanted=$1 found
  shift
  found=$(complete "$@")
  [[ $found == "$wanted" ]] || die "$*: completed to: $found; wanted: $wanted"
}

words=0
for program in quiverd quiver quiver-load quiver-gateway; do
  for form in man bash zsh fish; do
    "$programs/$program" --help-as "$form" >"$folder/$program.$form"
  done
  mandoc -T lint -W warning "$folder/$program.man" >"$folder/printed" 2>&1 ||
    die "mandoc finds mistakes in $program's page" "$folder/printed"
  groff -man -ww -z "$folder/$program.man" >"$folder/printed" 2>&1
  [[ ! -s $folder/printed ]] || die "groff warns of $program's page" "$folder/printed"
  LC_ALL=C.UTF-8 man --warnings --local-file "$folder/$program.man" >"$folder/page" 2>"$folder/printed"
  [[ ! -s $folder/printed ]] || die "man warns of $program's page" "$folder/printed"
  lines=$(wc -l <"$folder/page")
  [[ $lines -gt 50 ]] || die "$program's page has $lines lines"
  bash -n "$folder/$program.bash"
  zsh -n "$folder/$program.zsh"
  fish --no-execute "$folder/$program.fish"
  # Each word of the completions is one that the help names.
  "$programs/$program" --help >"$folder/help"
  # The pages of quiver are by group; one of them has the flags of every command.
  [[ $program != quiver ]] || "$programs/quiver" help flags >>"$folder/help"
  for flag in $(complete "$program" --); do
    grep -q -- "^  $flag\b" "$folder/help" || die "$program --help does not have $flag"
    words=$((words + 1))
  done
done

expect 'config' quiverd con
expect 'check print' quiverd config ''
expect '--max-connections --max-connections-per-address --max-connections-per-principal' \
  quiverd --max-conn
expect 'required' quiverd --tls-client req
expect 'error' quiver-gateway --log-level = e
expect 'token' quiver tok
expect 'create list revoke rotate' quiver --server x token ''
expect 'csv json table text' quiver equipment list --output ''
expect 'poisson' quiver-load --arrivals p

# fish completes by itself, without a terminal.
found=$(fish --no-config -c "source $folder/quiver.fish; complete -C 'quiver token r'" | cut -f1 | xargs)
[[ $found == 'revoke rotate' ]] || die "fish completes quiver token r to: $found"
found=$(fish --no-config -c "source $folder/quiver.fish; complete -C 'quiver equipment list --outp'" |
  cut -f1 | xargs)
[[ $found == '--output' ]] || die "fish completes quiver equipment list --outp to: $found"
[[ $words -ge 150 ]] || die "only $words flags were completed"
echo "4 manual pages without warnings, $words flags and 11 lines completed"
