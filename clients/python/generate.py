#!/usr/bin/env python3
"""Makes quiver/v1 and quiver/services.py with protoc, and copies the comments of Protos/ into the stubs.

usage: generate.py FOLDER [PROTOS]     FOLDER is the one that holds the package `quiver`
"""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from google.protobuf import descriptor_pb2

HERE = pathlib.Path(__file__).resolve().parent
# Those of a source distribution, or of the checkout.
PROTOS = HERE / "Protos" if (HERE / "Protos").is_dir() else HERE.parent.parent / "Protos"
DECLARATION = re.compile(r"( *)(?:class (\w+)\(|(\w+): )")


def comments(file: Any) -> dict[str, str]:
    """The comments of the messages, fields, enums and values of a file, by name: `Riser.brand`."""
    said = {
        tuple(one.path): (one.leading_comments.strip() + "\n\n" + one.trailing_comments.strip()).strip()
        for one in file.source_code_info.location
    }
    found: dict[str, str] = {}

    def enum(one: Any, path: tuple[int, ...], outer: str) -> None:
        found[outer + one.name] = said.get(path, "")
        for place, value in enumerate(one.value):
            found[outer + value.name] = said.get((*path, 2, place), "")

    def message(one: Any, path: tuple[int, ...], outer: str) -> None:
        found[outer + one.name] = said.get(path, "")
        inner = f"{outer}{one.name}."
        for place, field in enumerate(one.field):
            found[inner + field.name] = said.get((*path, 2, place), "")
        for place, nested in enumerate(one.nested_type):
            message(nested, (*path, 3, place), inner)
        for place, nested in enumerate(one.enum_type):
            enum(nested, (*path, 4, place), inner)

    for place, one in enumerate(file.message_type):
        message(one, (4, place), "")
    for place, one in enumerate(file.enum_type):
        enum(one, (5, place), "")
    return found


def documented(stub: str, said: dict[str, str]) -> str:
    """A .pyi of protoc with the comments as docstrings, which editors show."""
    lines: list[str] = []
    classes: list[str] = []
    for line in stub.splitlines():
        lines.append(line)
        declared = DECLARATION.match(line)
        if declared is None:
            continue
        space, kind, name = declared.groups()
        del classes[len(space) // 4 :]
        text = said.get(".".join([*classes, kind or name]), "")
        if kind is not None:
            classes.append(kind)
            space += "    "
        if text:
            text = text.replace("\\", "\\\\").replace('"""', "'''")
            rows = [row.strip() for row in text.splitlines()]
            end = "" if len(rows) == 1 and not text.endswith('"') else f"\n{space}"
            lines.append(space + '"""' + f"\n{space}".join(rows) + end + '"""')
    return re.sub(r" +\n", "\n", "\n".join(lines) + "\n")


def generate(folder: pathlib.Path, protos: pathlib.Path = PROTOS) -> None:
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
                   f"--quiver_out={folder}", "--include_source_info",
                   f"--descriptor_set_out={scratch}/set", *files]  # fmt: skip
        subprocess.run(command, check=True)
        described = descriptor_pb2.FileDescriptorSet.FromString((pathlib.Path(scratch) / "set").read_bytes())
    for file in described.file:
        stub = folder / (file.name.removesuffix(".proto") + "_pb2.pyi")
        stub.write_text(documented(stub.read_text(), comments(file)))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generate(*(pathlib.Path(word) for word in sys.argv[1:]))
