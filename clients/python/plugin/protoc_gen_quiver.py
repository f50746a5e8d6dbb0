#!/usr/bin/env python3
"""A protoc plugin: writes quiver/services.py and quiver/v1/__init__.py from the services of Protos/.

usage: protoc --plugin=protoc-gen-quiver=protoc_gen_quiver.py --quiver_out=FOLDER FILES
"""

from __future__ import annotations

import keyword
import re
import sys
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.compiler import plugin_pb2

SPAN = ".quiver.v1.WatchSpan"
Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    Field.TYPE_DOUBLE: "float", Field.TYPE_FLOAT: "float", Field.TYPE_BOOL: "bool",
    Field.TYPE_STRING: "str", Field.TYPE_BYTES: "bytes",
}  # fmt: skip


def snake(name: str) -> str:
    """`GetWeightTrend` as `get_weight_trend`."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


class Options:
    """Reads the options of methods by the extensions that the files themselves declare."""

    def __init__(self, files: list[Any]) -> None:
        self._pool = descriptor_pool.DescriptorPool()
        for file in files:
            self._pool.Add(file)
        message_factory.GetMessageClassesForFiles([file.name for file in files], self._pool)
        found = self._pool.FindMessageTypeByName("google.protobuf.MethodOptions")
        self._class = message_factory.GetMessageClass(found)

    def get(self, method: Any, name: str) -> Any:
        """The value of `quiver.v1.NAME` of a method; None where no such option is declared."""
        try:
            extension = self._pool.FindExtensionByName(f"quiver.v1.{name}")
        except KeyError:
            return None
        return self._class.FromString(method.options.SerializeToString()).Extensions[extension]


def comments(file: Any) -> dict[tuple[int, ...], str]:
    """The comment in front of each element, by its path."""
    return {
        tuple(one.path): one.leading_comments.strip()
        for one in file.source_code_info.location
        if one.leading_comments
    }


def python_type(field: Any) -> str:
    """The type of a keyword argument."""
    if field.type == Field.TYPE_MESSAGE:
        kind = "v1." + field.type_name.removeprefix(".quiver.v1.")
    elif field.type == Field.TYPE_ENUM:
        kind = "v1." + field.type_name.removeprefix(".quiver.v1.") + " | int | str"
    else:
        kind = SCALARS.get(field.type, "int")
    return f"Iterable[{kind}]" if field.label == Field.LABEL_REPEATED else kind


class Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, text: str = "", indent: int = 0) -> None:
        self.lines.append((" " * indent + text).rstrip())


class MethodText:
    """One method of a stub, in both forms."""

    def __init__(self, service: str, method: Any, doc: str, types: dict[str, Any]) -> None:
        self.doc = doc
        self.full_name = f"quiver.v1.{service}/{method.name}"
        self.name = snake(method.name)
        if keyword.iskeyword(self.name):
            self.name += "_"
        self.constant = f"{snake(service)}_{self.name}".upper()
        self.request = "v1." + method.input_type.removeprefix(".quiver.v1.")
        self.response = "v1." + method.output_type.removeprefix(".quiver.v1.")
        self.up, self.down = method.client_streaming, method.server_streaming
        answer = types[method.output_type]
        self.is_watch = (
            self.down and bool(answer.field) and any(f.type_name == SPAN for f in answer.field)
        )
        self.fields = [] if self.up else list(types[method.input_type].field)

    def parameters(self) -> list[str]:
        """Behind `self`."""
        if self.up:
            if self.down:
                return ["options: CallOptions = NO_OPTIONS"]
            requests = f"AsyncIterable[{self.request}] | Iterable[{self.request}]"
            return [f"requests: {requests}", "options: CallOptions = NO_OPTIONS"]
        found = [f"request: {self.request} | None = None", "/", "*"]
        found += [f"{field.name}: {python_type(field)} | None = None" for field in self.fields]
        found.append("options: CallOptions = NO_OPTIONS")
        if self.is_watch:
            found.append("position: Position | None = None")
        return found

    def made(self) -> str:
        """The request that a call sends."""
        names = "".join(f", {field.name}={field.name}" for field in self.fields)
        return f"made({self.request}, request{names})"

    def result(self) -> str:
        """The return type of the asyncio form."""
        if self.up and self.down:
            return f"DuplexStream[{self.request}, {self.response}]"
        if self.is_watch:
            return f"WatchStream[{self.response}]"
        return f"ReplyStream[{self.response}]" if self.down else self.response

    def body(self) -> str:
        """The expression that makes the asyncio call, without `await`."""
        if self.up and self.down:
            return f"DuplexStream(self._channel, {self.constant}, options)"
        if self.up:
            return f"upload(self._channel, {self.constant}, requests, options)"
        if self.is_watch:
            made = self.made()
            return f"WatchStream(self._channel, {self.constant}, {made}, options, position)"
        if self.down:
            return f"ReplyStream(self._channel, {self.constant}, {self.made()}, options)"
        return f"self._channel.unary({self.constant}, {self.made()}, options)"

    def write(self, out: Writer, is_sync: bool) -> None:
        result, prefix, body = self.result(), "", self.body()
        if is_sync:
            if self.up and self.down:
                return  # A conversation needs asyncio.
            if self.down:
                result = f"SyncStream[{self.response}]"
                body = f"self._runner.stream(lambda: {body})"
            else:
                body = f"self._runner.run({body})"
        elif not self.down:
            prefix, body = "async ", f"await {body}"
        out()
        out(f"{prefix}def {self.name}(", 4)
        for one in ["self", *self.parameters()]:
            out(one + ",", 8)
        out(f") -> {result}:", 4)
        out(documentation(self.doc or f"Calls {self.full_name}.", 8), 0)
        out(f"return {body}", 8)


def documentation(text: str, indent: int) -> str:
    """A comment as a docstring."""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = [line.strip() for line in text.splitlines()]
    space = " " * indent
    if len(lines) == 1:
        return f'{space}"""{lines[0]}"""'
    rest = "\n".join((space + line).rstrip() for line in lines[1:])
    return f'{space}"""{lines[0]}\n{rest}\n{space}"""'


HEADER = '''"""The services of Quiver, made by protoc_gen_quiver.py."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING

from . import v1
from ._channel import (
    Channel, DuplexStream, Method, Position, ReplyStream, WatchStream, made, upload,
)
from .options import NO_OPTIONS, CallOptions

if TYPE_CHECKING:
    from .sync import SyncRunner, SyncStream
'''


def write_services(files: list[Any], all_files: list[Any]) -> str:
    options = Options(all_files)
    types = {
        f".{file.package}.{message.name}": message for file in all_files
        for message in file.message_type
    }  # fmt: skip
    out = Writer()
    out(HEADER)
    services: list[tuple[str, str, list[MethodText]]] = []
    for file in files:
        said = comments(file)
        for index, service in enumerate(file.service):
            methods = []
            for place, method in enumerate(service.method):
                one = MethodText(service.name, method, said.get((6, index, 2, place), ""), types)
                methods.append(one)
                flags = "".join(
                    f", {name}=True"
                    for name, holds in (
                        ("request_streams", one.up), ("reply_streams", one.down),
                        ("is_mutating", options.get(method, "mutating")),
                    )
                    if holds
                )  # fmt: skip
                number = options.get(method, "method_id")
                name = f"{file.package}.{service.name}/{method.name}"
                out(
                    f'{one.constant} = Method({number}, "{name}", {one.request},'
                    f" {one.response}{flags})"
                )
            services.append((service.name, said.get((6, index), ""), methods))
    for is_sync in (False, True):
        prefix = "Sync" if is_sync else ""
        for name, doc, methods in services:
            out()
            out()
            out(f"class {prefix}{name}Service:")
            out(documentation(doc or f"The methods of quiver.v1.{name}.", 4))
            out()
            if is_sync:
                out("def __init__(self, runner: SyncRunner, channel: Channel) -> None:", 4)
                out("self._runner = runner", 8)
            else:
                out("def __init__(self, channel: Channel) -> None:", 4)
            out("self._channel = channel", 8)
            for method in methods:
                method.write(out, is_sync)
        out()
        out()
        out(f"class {prefix}Services:")
        out('"""An attribute for each service."""', 4)
        out()
        arguments = "runner: SyncRunner, channel: Channel" if is_sync else "channel: Channel"
        out(f"def __init__(self, {arguments}) -> None:", 4)
        for name, _, _ in services:
            given = "runner, channel" if is_sync else "channel"
            out(f"self.{snake(name)} = {prefix}{name}Service({given})", 8)
    return "\n".join(out.lines) + "\n"


def write_package(files: list[Any]) -> str:
    """`quiver.v1` offers every message and enum by its name."""
    lines = ['"""The messages of Quiver, made by protoc."""', ""]
    for file in files:
        module = file.name.removesuffix(".proto").replace("/", ".") + "_pb2"
        names = [one.name for one in [*file.message_type, *file.enum_type]]
        names += [value.name for enum in file.enum_type for value in enum.value]
        for name in sorted(names):
            lines.append(f"from {module} import {name} as {name}")
    return "\n".join(lines) + "\n"


def main() -> None:
    request = plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    response = plugin_pb2.CodeGeneratorResponse(
        supported_features=plugin_pb2.CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
    )
    wanted = set(request.file_to_generate)
    files = [file for file in request.proto_file if file.name in wanted]
    services = response.file.add(name="quiver/services.py")
    services.content = write_services(files, list(request.proto_file))
    package = response.file.add(name="quiver/v1/__init__.py")
    package.content = write_package(files)
    sys.stdout.buffer.write(response.SerializeToString())


if __name__ == "__main__":
    main()
