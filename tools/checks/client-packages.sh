#!/usr/bin/env bash
# The packages of the clients: libquiver-client-dev and python3-quiver-client are unpacked and used, `make
# install` leaves the files of others alone, and the Maven coordinates work from a local repository.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/install"
. "$root/tools/packaging/functions"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package_scratch=$folder
export SOURCE_DATE_EPOCH=1700000000
version=$(source_version)
mkdir "$folder/packages" "$folder/again" "$folder/debian"

for package in libquiver-client-dev python3-quiver-client; do
  make_client_package "$package" "$folder/packages"
  make_client_package "$package" "$folder/again" 2>/dev/null
done
check_packages "$folder/packages"
for deb in "$folder"/packages/*.deb; do
  cmp "$deb" "$folder/again/$(basename "$deb")" || fail "the same source makes other bytes"
  [[ $(dpkg-deb -f "$deb" Version) == "$version" ]] || fail "$deb is not of version $version"
  # No file is one of another package.
  while read -r path; do
    ! dpkg-query --search "$path" >/dev/null 2>&1 || fail "$deb has $path, which another package has"
  done < <(dpkg-deb --fsys-tarfile "$deb" | tar -t | grep -v '/$' | sed 's|^\.||')
  dpkg-deb -x "$deb" "$folder/debian"
done

# A program is compiled and linked with what the package has.
tree=$folder/debian
library=$tree/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
cat >"$folder/program.c" <<'C'
#include <quiver/quiver.h>
#include <quiver/services.h>
#include <stdio.h>
#include <string.h>
int main(void) { return strcmp(QUIVER_VERSION, WANTED) != 0 || puts(QUIVER_VERSION) < 0; }
C
flags=$(PKG_CONFIG_PATH=$library/pkgconfig PKG_CONFIG_SYSROOT_DIR=$tree pkg-config --static --cflags quiver)
# shellcheck disable=SC2086 # words
cc -Wall -Wextra -Werror -DWANTED="\"$version\"" $flags "$folder/program.c" -L"$library" -Wl,-Bstatic -lquiver \
  -Wl,-Bdynamic -lprotobuf-c -lssl -lcrypto -lzstd -lm -o "$folder/program"
[[ $("$folder/program") == "$version" ]] || fail "the program is of another version"

# Python finds the package where Debian's Python looks.
"${QUIVER_PYTHON:-python3}" - "$tree/usr/lib/python3/dist-packages" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import quiver
from quiver.v1 import events_pb2
assert quiver.__file__.startswith(sys.argv[1]), quiver.__file__
assert events_pb2.EventEntry(bib="12").bib == "12"
PYTHON

# Maven takes the client by its coordinates from a local repository.
if command -v mvn >/dev/null; then
  "$root/clients/java/build.sh" "$folder/java" >"$folder/log" 2>&1 || fail "$(tail -n 20 "$folder/log")"
  "$root/clients/java/install.sh" "$folder/java/quiver.jar" "$folder/repository"
  coordinates=$folder/repository/quiver/quiver/$version
  for file in "quiver-$version.jar" "quiver-$version.pom"; do
    [[ -s $coordinates/$file ]] || fail "the local repository has no $file"
  done
  grep -q '<artifactId>protobuf-java</artifactId>' "$coordinates/quiver-$version.pom" ||
    fail "the pom does not name protobuf-java"
fi
say "the packages of the clients are of version $version and can be used"
