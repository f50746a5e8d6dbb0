#!/usr/bin/env bash
# Compares the version of Release.swift, which is the source, with those of the clients and packages.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
programs=${QUIVER_PROGRAMS:-$root/.build/debug}
wanted=$(sed -n 's/.*let version = "\(.*\)"$/\1/p' "$root/Sources/RPC/QuiverCommandLine/Release.swift")
failed=0

# agrees WHERE VERSION
agrees() {
  [[ -n $wanted && $2 == "$wanted" ]] && return
  echo "$1 has version '$2', Release.swift '$wanted'" >&2
  failed=1
}

for program in quiverd quiver-gateway quiver quiver-load; do
  agrees "$program" "$("$programs/$program" --version | sed "s/^$program //")"
done
clients=$root/clients
agrees quiver.h "$(sed -n 's/^#define QUIVER_VERSION "\(.*\)"$/\1/p' "$clients/c/include/quiver/quiver.h")"
agrees clients/c/Makefile "$(make -s -C "$clients/c" version)"
agrees pyproject.toml "$(sed -n 's/^version = "\(.*\)"$/\1/p' "$clients/python/pyproject.toml")"
# The first version of the file is that of the project.
agrees pom.xml "$(grep -m1 -oP '(?<=<version>)[^<]+' "$clients/java/pom.xml")"
for package in "$clients"/*/package.json; do
  [[ ! -e $package ]] || agrees "$package" "$(grep -m1 -oP '(?<="version": ")[^"]+' "$package")"
done
exit "$failed"
