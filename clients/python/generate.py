#!/usr/bin/env python3
"""Makes quiver/v1 and quiver/services.py with protoc.

usage: generate.py FOLDER [PROTOS]     FOLDER is the one that holds the package `quiver`
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def generate(folder: pathlib.Path, protos: pathlib.Path = HERE.parent.parent / "Protos") -> None:
    """Writes the generated modules below `folder`/quiver."""
    files = sorted(path.relative_to(protos).as_posix() for path in protos.glob("quiver/v1/*.proto"))
    if not files:
        sys.exit(f"no .proto files in {protos}/quiver/v1: build from a checkout of Quiver")
    if shutil.which("protoc") is None:
        sys.exit("protoc is missing: install protobuf-compiler (3.20 or later)")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        # The plugin runs in this Python, whatever `env python3` is.
        plugin = pathlib.Path(scratch) / "protoc-gen-quiver"
        script = HERE / "plugin" / "protoc_gen_quiver.py"
        plugin.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}"\n')
        plugin.chmod(0o755)
        command = ["protoc", f"--proto_path={protos}", f"--python_out={folder}",
                   f"--pyi_out={folder}", f"--plugin=protoc-gen-quiver={plugin}",
                   f"--quiver_out={folder}", *files]  # fmt: skip
        subprocess.run(command, check=True)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generate(*(pathlib.Path(word) for word in sys.argv[1:]))
