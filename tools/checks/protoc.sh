#!/usr/bin/env bash
# Runs protoc on Protos for C++, Java, Python, Objective-C and C#, and compiles or loads what it
# makes for the first three. clients/c has its own check: protoc-gen-c 1.4 refuses `optional`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${QUIVER_PYTHON:?names a Python with protobuf; tools/install makes one}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder"/{cpp,java,python,objc,csharp,classes}

"$root/tools/proto-comments" --check

cd "$root/Protos"
protoc --cpp_out="$folder/cpp" --java_out="$folder/java" --python_out="$folder/python" \
  --objc_out="$folder/objc" --csharp_out="$folder/csharp" quiver/v1/*.proto

cd "$folder/cpp"
printf '%s\0' quiver/v1/*.pb.cc |
  xargs -0 -n 4 -P 2 clang++ -std=c++17 -fsyntax-only -Wall -Werror -I.

cd "$folder"
find java -name '*.java' >sources
javac -nowarn -d classes -cp /usr/share/java/protobuf.jar @sources
grep -qx 'package quiver.v1;' java/quiver/v1/Riser.java
grep -q 'namespace Quiver.V1 ' csharp/Riser.cs
grep -q '@interface QVRRiser ' objc/quiver/v1/Riser.pbobjc.h

cd "$folder/python"
"$python" - <<'PYTHON'
import glob, importlib, os
names = sorted(glob.glob("quiver/v1/*_pb2.py"))
for name in names:
    importlib.import_module(name[:-3].replace(os.sep, "."))
options = importlib.import_module("quiver.v1.riser_pb2").DESCRIPTOR.GetOptions()
assert options.go_package == "quiver/v1;quiverv1", options
assert options.swift_prefix == "QVR", options
print(len(names), "files compile as C++, Java and Python, and translate to Objective-C and C#")
PYTHON
