#!/usr/bin/env python3
"""A protoc plugin: writes messages.js and services.js, the types and methods of Protos/ as proto3 JSON has them.

usage: protoc --plugin=protoc-gen-quiver_js=protoc_gen_quiver_js.py --quiver_js_out=FOLDER FILES
"""

from __future__ import annotations

import pathlib
import sys
from typing import Any

from google.protobuf import descriptor_pb2
from google.protobuf.compiler import plugin_pb2

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python/plugin"))
from protoc_gen_quiver import SPAN, comments  # type: ignore[import-not-found]  # noqa: E402

PACKAGE = ".quiver.v1."
Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    Field.TYPE_DOUBLE: "number", Field.TYPE_FLOAT: "number", Field.TYPE_BOOL: "boolean",
    Field.TYPE_STRING: "string",
    **dict.fromkeys((Field.TYPE_INT32, Field.TYPE_UINT32, Field.TYPE_SINT32, Field.TYPE_FIXED32,
                     Field.TYPE_SFIXED32), "number"),
}  # fmt: skip
WIDE = (Field.TYPE_INT64, Field.TYPE_UINT64, Field.TYPE_SINT64, Field.TYPE_FIXED64, Field.TYPE_SFIXED64)


def camel(name: str) -> str:
    """`page_size` as proto3 JSON writes it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def lower(name: str) -> str:
    return name[0].lower() + name[1:]


class Types:
    """Which messages differ in requests: those with an int64 or bytes somewhere."""

    def __init__(self, files: list[Any]) -> None:
        self.messages = {PACKAGE + one.name: one for file in files for one in file.message_type}
        methods = [method for file in files for service in file.service for method in service.method]
        self.asked = self.reachable([method.input_type for method in methods])
        self.answered = self.reachable([method.output_type for method in methods])
        self.wide = {name for name in self.messages
                     if any(field.type in WIDE or field.type == Field.TYPE_BYTES
                            for inner in self.reachable([name])
                            for field in self.messages[inner].field)}  # fmt: skip

    def reachable(self, names: list[str]) -> set[str]:
        found: set[str] = set()
        left = list(names)
        while left:
            name = left.pop()
            if name in found or name not in self.messages:
                continue
            found.add(name)
            left += [field.type_name for field in self.messages[name].field if field.type_name]
        return found

    def name(self, full: str, is_request: bool) -> str:
        suffix = "Init" if is_request and full in self.wide else ""
        return full.removeprefix(PACKAGE) + suffix

    def of(self, field: Any, is_request: bool) -> str:
        if field.type == Field.TYPE_MESSAGE:
            kind = self.name(field.type_name, is_request)
        elif field.type == Field.TYPE_ENUM:
            kind = field.type_name.removeprefix(PACKAGE)
        elif field.type in WIDE:
            kind = "string | bigint" if is_request else "string"
        elif field.type == Field.TYPE_BYTES:
            kind = "string | Uint8Array" if is_request else "string"
        else:
            kind = SCALARS[field.type]
        if field.label != Field.LABEL_REPEATED:
            return kind
        return f"({kind})[]" if " " in kind else f"{kind}[]"


def said(location: Any) -> str:
    """The comments of an element on one line, without what would end a comment."""
    text = f"{location.leading_comments} {location.trailing_comments}" if location else ""
    return " ".join(text.replace("*/", "* /").replace("@", "(at)").split())


def wrapped(text: str) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and len(line) + len(word) > 110:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line] if line else lines


def block(lines: list[str]) -> str:
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */", ""])


HEADER = "// Made from Protos/ by protoc_gen_quiver_js.py; do not edit.\n\n"


def write_messages(files: list[Any], types: Types) -> str:
    """A type for each message and enum. Replies leave defaults out, so that each field may be absent."""
    parts = [HEADER]
    for file in files:
        where = {tuple(one.path): one for one in file.source_code_info.location}
        for place, enum in enumerate(file.enum_type):
            values = " | ".join(f'"{value.name}"' for value in enum.value)
            told = wrapped(said(where.get((5, place))))
            for number, value in enumerate(enum.value):
                if text := said(where.get((5, place, 2, number))):
                    told += [f"- {value.name}: {text}"]
            # A newer server may send others.
            parts.append(block([*told, f"@typedef {{{values} | (string & {{}})}} {enum.name}"]))
        for place, message in enumerate(file.message_type):
            full = PACKAGE + message.name
            for is_request in [False, True]:
                is_both = full not in types.wide
                if is_request and (is_both or full not in types.asked):
                    continue
                if not is_request and not is_both and full not in types.answered:
                    continue
                told = wrapped(said(where.get((4, place))))
                told += [f"@typedef {{object}} {types.name(full, is_request)}"]
                for number, field in enumerate(message.field):
                    text = said(where.get((4, place, 2, number)))
                    told += [f"@property {{{types.of(field, is_request)}}} [{camel(field.name)}] {text}"]
                parts.append(block(told))
    parts.append("export {};\n")
    return "\n".join(parts)


def write_services(files: list[Any], types: Types) -> str:
    """The names of the methods that HTTP carries to browsers, and their types."""
    parts = [HEADER]
    unary: list[str] = []
    watches: list[str] = []
    table: list[str] = []
    services: list[str] = []
    for file in files:
        docs = comments(file)
        for index, service in enumerate(file.service):
            names: dict[str, list[str]] = {"unary": [], "watches": []}
            fields: list[str] = []
            for place, method in enumerate(service.method):
                reply = types.messages[method.output_type]
                is_watch = method.server_streaming and any(f.type_name == SPAN for f in reply.field)
                if method.client_streaming or (method.server_streaming and not is_watch):
                    continue
                request = f'import("./messages.js").{types.name(method.input_type, True)}'
                answer = f'import("./messages.js").{types.name(method.output_type, False)}'
                kind = "watches" if is_watch else "unary"
                names[kind].append(method.name)
                text = " ".join(docs.get((6, index, 2, place), "").split())
                listed = watches if is_watch else unary
                listed += [f'  "{service.name}/{method.name}": {{request: {request}, reply: {answer}}},']
                form = "Watched" if is_watch else "Called"
                fields += [f'@property {{import("./stubs.js").{form}<{request}, {answer}>}} '
                           f"{lower(method.name)} {text}"]  # fmt: skip
            if not fields:
                continue
            told = wrapped(" ".join(docs.get((6, index), f"The service {service.name}.").split()))
            parts.append(block([*told, f"@typedef {{object}} {service.name}Service", *fields]))
            services += [f"@property {{{service.name}Service}} {lower(service.name)}"]
            lists = [f'    {kind}: "{" ".join(names[kind])}",' for kind in names if names[kind]]
            table += [f"  {service.name}: {{", *lists, "  },"]
    parts.append(block(["All services.", "@typedef {object} Services", *services]))
    for name, about, rows in [("Unary", "The unary methods by their names.", unary),
                              ("Watches", "The methods that are watches by their names.", watches)]:  # fmt: skip
        parts.append(block([about, "@typedef {{", *rows, f"}}}} {name}"]))
    parts.append("/** The methods of each service, separated by spaces. */\n"
                 "export const methods = Object.freeze({\n" + "\n".join(table) + "\n});\n")  # fmt: skip
    return "\n".join(parts)


def main() -> None:
    request = plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    response = plugin_pb2.CodeGeneratorResponse(
        supported_features=plugin_pb2.CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    wanted = set(request.file_to_generate)
    files = [file for file in request.proto_file if file.name in wanted]
    types = Types(files)
    for name, text in [("messages.js", write_messages(files, types)),
                       ("services.js", write_services(files, types))]:  # fmt: skip
        made = response.file.add(name=name)
        made.content = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
    sys.stdout.buffer.write(response.SerializeToString())


if __name__ == "__main__":
    main()
