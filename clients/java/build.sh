#!/usr/bin/env bash
# Builds quiver.jar from the sources, Protos/ and the JDK.
#
# usage: build.sh [FOLDER]   default: build/ beside this script. $PROTOBUF_JAR is protobuf-java
#        (default /usr/share/java/protobuf.jar, of Debian's libprotobuf-java), $PROTOS the .proto files.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/build}
jar=${PROTOBUF_JAR:-/usr/share/java/protobuf.jar}
protos=${PROTOS:-$here/../../Protos}
include=$(pkg-config --variable=includedir protobuf 2>/dev/null || echo /usr/include)
mkdir -p "$out/plugin" "$out/gen" "$out/classes"
javac -Xlint:all -Werror -proc:none -cp "$jar" -d "$out/plugin" "$here/plugin/ProtocGenQuiver.java"
printf '#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 -cp %q:%q ProtocGenQuiver\n' "$jar" "$out/plugin" \
  >"$out/protoc-gen-quiver"
chmod +x "$out/protoc-gen-quiver"
files=$(cd "$protos" && ls quiver/v1/*.proto)
# shellcheck disable=SC2086 # a name in each word
protoc -I"$protos" -I"$include" --java_out="$out/gen" \
  --plugin=protoc-gen-quiver="$out/protoc-gen-quiver" --quiver_out="$out/gen" $files
# What protoc makes is compiled by itself: warnings there are not ours.
find "$out/gen/quiver/v1" -name '*.java' >"$out/messages"
javac -nowarn -Xlint:none -proc:none -J-XX:TieredStopAtLevel=1 -cp "$jar" -d "$out/classes" "@$out/messages"
javac -Xlint:all -Werror -proc:none -cp "$jar:$out/classes" -d "$out/classes" \
  "$here"/src/quiver/*.java "$out"/gen/quiver/*.java
jar --create --file "$out/quiver.jar" -C "$out/classes" .
