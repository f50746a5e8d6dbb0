#!/usr/bin/env bash
# The packages without a release build: all files but the programs, in whose place /bin/true stands.
# tools/package --check installs the real packages in a bare Debian.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/install"
. "$root/tools/packaging/functions"
programs=${QUIVER_PROGRAMS:-$root/.build/debug}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package_scratch=$folder
export SOURCE_DATE_EPOCH=1700000000

mkdir "$folder/stand-ins" "$folder/packages" "$folder/again"
for program in quiverd quiver-gateway quiver quiver-load; do
  cp /bin/true "$folder/stand-ins/$program"
done
for package in server cli; do
  make_package "$package" "$programs" "$folder/packages" "$folder/stand-ins"
  cp -r "$folder/debian-$package/tree" "$folder/tree-$package"
  make_package "$package" "$programs" "$folder/again" "$folder/stand-ins" 2>/dev/null
done
# What lintian says of the stand-ins is of no interest.
check_packages "$folder/packages" 'hardening-no-bindnow|unused-override'
for deb in "$folder"/packages/*.deb; do
  cmp "$deb" "$folder/again/$(basename "$deb")" || fail "the same source makes other bytes"
done

# The configuration of the package is one that the programs take.
for program in quiverd quiver-gateway; do
  "$programs/$program" config check --config "$folder/tree-server/etc/quiver/$program.conf" >/dev/null
done
for script in "$root"/tools/packaging/server/{postinst,prerm,postrm}; do dash -n "$script"; done

# Units: names, and how far they are shut off from the system.
units=$folder/tree-server/lib/systemd/system
for unit in quiver-server quiver-gateway; do
  program=$(sed -n 's|^ExecStart=/usr/bin/\([a-z-]*\) .*|\1|p' "$units/$unit.service")
  [[ -x $folder/tree-server/usr/bin/$program ]] || fail "$unit starts $program, which is not there"
  exposure=$(systemd-analyze security --offline=yes "$units/$unit.service" 2>/dev/null |
    sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\) .*/\1/p')
  [[ -n $exposure ]] || fail "systemd-analyze says nothing of $unit"
  [[ $(printf '%s\n2.0\n' "$exposure" | sort -g | sed -n 1p) != 2.0 ]] ||
    fail "the exposure of $unit is $exposure; at most 2.0 is allowed"
  say "$unit: exposure $exposure"
done

grep -qx 'TimeoutStartSec=infinity' "$units/quiver-server.service" ||
  fail "systemd would kill a server that migrates or checks its database for 90 s"

# The image: every variable of its environment is a setting, and together they are valid.
mapfile -t variables < <(sed -n '/^ENV /,/[^\\]$/p' "$root/Containerfile" | grep -oE 'QUIVERD_[A-Z_]+=[^ \\]+')
[[ ${#variables[@]} -ge 3 ]] || fail "Containerfile sets ${#variables[@]} variables"
printed=$(env "${variables[@]}" "$programs/quiverd" config print)
for variable in "${variables[@]}"; do
  grep -q "# ${variable%%=*}$" <<<"$printed" || fail "$variable is no setting of quiverd"
done
say "the packages without their programs pass; the image's ${#variables[@]} variables are settings"
