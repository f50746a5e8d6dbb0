#!/usr/bin/env bash
# Puts quiver.jar with its pom into a Maven repository of this machine, in the layout that Maven reads.
#
# usage: install.sh JAR [REPOSITORY]      default: ~/.m2/repository
#
# A program then depends on quiver:quiver with the version of pom.xml. Nothing is downloaded.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jar=${1:?usage: install.sh JAR [REPOSITORY]}
repository=${2:-$HOME/.m2/repository}
version=$(grep -m1 -oP '(?<=<version>)[^<]+' "$here/pom.xml")
folder=$repository/quiver/quiver/$version
mkdir -p "$folder"
install -m 644 "$jar" "$folder/quiver-$version.jar"
install -m 644 "$here/pom.xml" "$folder/quiver-$version.pom"
