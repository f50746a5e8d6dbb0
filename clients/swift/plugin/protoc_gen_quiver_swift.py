#!/usr/bin/env python3
"""A protoc plugin: writes messages, methods and stubs for QuiverClientCore and QuiverServer in Swift.

usage: protoc --plugin=protoc-gen-quiver-swift=protoc_gen_quiver_swift.py --quiver-swift_out=FOLDER FILES

NAME.swift for each NAME.proto. With --quiver-swift_opt=server it also has a protocol for the handlers
of each service, and imports QuiverServer instead of QuiverClientCore.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.compiler import plugin_pb2

Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    Field.TYPE_DOUBLE: ("double", "Double", "0"), Field.TYPE_FLOAT: ("float", "Float", "0"),
    Field.TYPE_INT64: ("int64", "Int64", "0"), Field.TYPE_UINT64: ("uint64", "UInt64", "0"),
    Field.TYPE_INT32: ("int32", "Int32", "0"), Field.TYPE_FIXED64: ("fixed64", "UInt64", "0"),
    Field.TYPE_FIXED32: ("fixed32", "UInt32", "0"), Field.TYPE_BOOL: ("bool", "Bool", "false"),
    Field.TYPE_STRING: ("string", "String", '""'), Field.TYPE_BYTES: ("bytes", "[UInt8]", "[]"),
    Field.TYPE_UINT32: ("uint32", "UInt32", "0"), Field.TYPE_SFIXED32: ("sfixed32", "Int32", "0"),
    Field.TYPE_SFIXED64: ("sfixed64", "Int64", "0"), Field.TYPE_SINT32: ("sint32", "Int32", "0"),
    Field.TYPE_SINT64: ("sint64", "Int64", "0"),
}  # fmt: skip
REPEATED = {"bytes": "byteStrings"}
KINDS = {
    (False, False): "UnaryMethod", (False, True): "ServerStreamingMethod",
    (True, False): "ClientStreamingMethod", (True, True): "BidirectionalMethod",
}  # fmt: skip
KEYWORDS = set(
    "associatedtype class deinit enum extension fileprivate func import init inout internal let open"
    " operator private precedencegroup protocol public rethrows static struct subscript typealias var"
    " break case catch continue default defer do else fallthrough for guard if in repeat return throw"
    " switch where while Any as await false is nil self Self super throws true try".split()
)
CAPITALS = {"id": "ID", "url": "URL", "sku": "SKU", "uri": "URI"}


class Refusal(Exception):
    """What the file declares and the Swift bindings do not have."""


def camel(name: str) -> str:
    """`client_id` as `clientID`, `GetItem` as `getItem`."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().split("_")
    words = [word for word in words if word]
    return words[0] + "".join(CAPITALS.get(word, word.capitalize()) for word in words[1:])


def quoted(name: str) -> str:
    """A name that can be declared."""
    return f"`{name}`" if name in KEYWORDS else name


class Names:
    """Finds the options of methods, and the Swift names of types."""

    def __init__(self, files: list[Any]) -> None:
        pool = descriptor_pool.DescriptorPool()
        for file in files:
            pool.Add(file)
        message_factory.GetMessageClassesForFiles([file.name for file in files], pool)
        self._pool = pool
        found = pool.FindMessageTypeByName("google.protobuf.MethodOptions") if any(
            file.name == "google/protobuf/descriptor.proto" for file in files
        ) else None
        self._class = found and message_factory.GetMessageClass(found)

    def option(self, method: Any, name: str) -> Any:
        """The value of `quiver.v1.NAME` of a method; None where it is not declared."""
        try:
            extension = self._pool.FindExtensionByName(f"quiver.v1.{name}")
        except KeyError:
            return None
        return self._class.FromString(method.options.SerializeToString()).Extensions[extension]


def swift_type(full: str) -> str:
    return full.rsplit(".", 1)[-1]


class Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, text: str = "", indent: int = 0) -> None:
        self.lines.append((" " * indent + text).rstrip())

    def comment(self, text: str, indent: int = 0) -> None:
        for line in text.strip().splitlines():
            self(("/// " + line.strip()).rstrip(), indent)


def comments(file: Any) -> dict[tuple[int, ...], str]:
    """The comment in front of each element, or behind it on its line, by its path."""
    return {
        tuple(one.path): (one.leading_comments or one.trailing_comments).strip()
        for one in file.source_code_info.location
        if one.leading_comments or one.trailing_comments
    }


def declare_message(out: Writer, package: str, message: Any, said: Any, path: tuple[int, ...]) -> None:
    name = f"{package}.{message.name}" if package else message.name
    if message.nested_type or message.enum_type:
        raise Refusal(f"{name}: nested messages, enums and maps are not supported")
    if any(f.HasField("oneof_index") and not f.proto3_optional for f in message.field):
        raise Refusal(f"{name}: oneof is not supported")
    out()
    out.comment(said.get(path) or f"The message `{name}`.")
    out(f"public struct {message.name}: Message {{")
    rows = []
    for index, field in enumerate(message.field):
        swift = camel(field.name)
        out.comment(said.get((*path, 2, index)) or f"The field `{field.name}`.", 2)
        repeated = field.label == Field.LABEL_REPEATED
        if field.type in (Field.TYPE_MESSAGE, Field.TYPE_ENUM):
            is_enum = field.type == Field.TYPE_ENUM
            kind, of = ("enum" if is_enum else "message"), swift_type(field.type_name)
            if repeated:
                declared, method = f": [{of}] = []", kind + "s"
            elif is_enum and not field.proto3_optional:
                declared, method = f" = {of}(rawValue: 0)", kind
            else:
                declared, method = f": {of}?", "optionalEnum" if is_enum else kind
        elif field.type in SCALARS:
            kind, of, zero = SCALARS[field.type]
            if repeated:
                declared, method = f": [{of}] = []", REPEATED.get(kind, kind + "s")
            elif field.proto3_optional:
                declared, method = f": {of}?", "optional" + kind[0].upper() + kind[1:]
            else:
                declared, method = f": {of} = {zero}", kind
        else:
            raise Refusal(f"{name}.{field.name}: groups are not supported")
        out(f"public var {quoted(swift)}{declared}", 2)
        rows.append(f'.{method}({field.number}, "{field.name}", \\.{quoted(swift)})')
    out()
    out("/// A message with every field at its default.", 2)
    out("public init() {}", 2)
    out()
    out("/// The fields.", 2)
    out("public static let schema = Schema<Self>(", 2)
    out(f'"{name}"' + "".join(",\n    " + row for row in rows) + ")", 4)
    out("}")


def declare_enum(out: Writer, package: str, enum: Any, said: Any, path: tuple[int, ...]) -> None:
    name = f"{package}.{enum.name}" if package else enum.name
    prefix = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", enum.name).upper() + "_"
    out()
    out.comment(said.get(path) or f"The enum `{name}`.")
    out(f"public struct {enum.name}: OpenEnum {{")
    out("/// The number, known or not.", 2)
    out("public var rawValue: Int32", 2)
    out()
    out("/// The value with a number.", 2)
    out("public init(rawValue: Int32) { self.rawValue = rawValue }", 2)
    out()
    for index, value in enumerate(enum.value):
        short = value.name.removeprefix(prefix)
        short = camel(short if not short[0].isdigit() else value.name)
        out.comment(said.get((*path, 2, index)) or f"The value `{value.name}`.", 2)
        out(f"public static let {quoted(short)} = Self(rawValue: {value.number})", 2)
    out()
    out("/// Name and values.", 2)
    out("public static let schema = EnumSchema(", 2)
    rows = ",\n      ".join(f'({value.number}, "{value.name}")' for value in enum.value)
    out(f'"{name}",', 4)
    out("[", 4)
    out(rows + ",", 6)
    out("])", 4)
    out("}")


def declare_service(
    out: Writer, package: str, service: Any, said: Any, path: tuple[int, ...], names: Names,
    server: bool,
) -> None:  # fmt: skip
    full = f"{package}.{service.name}" if package else service.name
    doc = said.get(path) or f"The service `{full}`."
    methods = []
    for index, method in enumerate(service.method):
        number = names.option(method, "method_id")
        if not number:
            raise Refusal(f"{full}/{method.name} has no option (quiver.v1.method_id)")
        flags = "".join(
            f", {flag}: true" for flag in ("mutating", "anonymous") if names.option(method, flag)
        )
        methods.append((
            camel(method.name), method, number, flags, swift_type(method.input_type),
            swift_type(method.output_type), said.get((*path, 2, index)) or f"`{method.name}`.",
        ))  # fmt: skip
    out()
    out.comment(doc)
    out(f"public enum {service.name}: RPCService {{")
    out(f"/// The methods of ``{service.name}``.", 2)
    out("public struct Methods: Sendable {", 2)
    for name, method, number, flags, request, response, text in methods:
        kind = KINDS[method.client_streaming, method.server_streaming]
        out.comment(text, 4)
        out(f"public let {quoted(name)} = {kind}<{request}, {response}>(", 4)
        out(f'"{full}/{method.name}", id: {number}{flags})', 6)
    out("}", 2)
    out()
    out("/// The methods of the service.", 2)
    out("public static let methods = Methods()", 2)
    out("}")
    declare_client(out, service, methods)
    if server:
        declare_handlers(out, service, methods)


def declare_client(out: Writer, service: Any, methods: list[Any]) -> None:
    out()
    out(f"/// Calls the methods of ``{service.name}``.")
    out(f"public struct {service.name}Client: Sendable {{")
    out("/// What makes the calls.", 2)
    out("public let caller: any MethodCaller", 2)
    out()
    out("/// Creates a client of the service.", 2)
    out("public init(_ caller: any MethodCaller) { self.caller = caller }", 2)
    for name, method, _, _, request, response, text in methods:
        out()
        out.comment(text, 2)
        out(f"public func {quoted(name)}(", 2)
        options = "options: CallOptions = CallOptions()"
        value = f"{service.name}.methods.{quoted(name)}"
        if method.client_streaming:
            out(options, 4)
            out(f") throws(RPCError) -> StreamingCall<{request}, {response}> {{", 2)
            out(f"try caller.open({value}, options: options)", 4)
        elif method.server_streaming:
            out(f"_ request: {request}, {options}", 4)
            out(f") throws(RPCError) -> ReplyStream<{response}> {{", 2)
            out(f"try caller.stream({value}, request, options: options)", 4)
        else:
            out(f"_ request: {request}, {options}", 4)
            out(f") async throws(RPCError) -> {response} {{", 2)
            out(f"try await caller.call({value}, request, options: options)", 4)
        out("}", 2)
    out("}")


def declare_handlers(out: Writer, service: Any, methods: list[Any]) -> None:
    out()
    out(f"/// Answers the methods of ``{service.name}``.")
    out(f"public protocol {service.name}Handlers: Sendable {{")
    for place, (name, method, _, _, request, response, text) in enumerate(methods):
        if place:
            out()
        out.comment(text, 2)
        out(f"func {quoted(name)}(", 2)
        asks = f"RequestStream<{request}>" if method.client_streaming else request
        label = "requests" if method.client_streaming else "request"
        if method.server_streaming:
            out(f"_ {label}: {asks}, _ call: CallContext, _ replies: ReplyWriter<{response}>", 4)
            out(") async throws", 2)
        else:
            out(f"_ {label}: {asks}, _ call: CallContext", 4)
            out(f") async throws -> {response}", 2)
    out("}")
    out()
    out(f"extension {service.name}Handlers {{")
    out("/// The service with these handlers.", 2)
    out("public var service: Service {", 2)
    out("Service(", 4)
    out(f"{service.name}.self,", 6)
    out("[", 6)
    for name, *_ in methods:
        out(f".handle({service.name}.methods.{quoted(name)}, {quoted(name)}),", 8)
    out("])", 6)
    out("}", 2)
    out("}")


def write(file: Any, names: Names, server: bool) -> str:
    if file.syntax != "proto3":
        raise Refusal(f"{file.name}: only proto3 is supported")
    said = comments(file)
    out = Writer()
    out("// swift-format-ignore-file")
    out(f"// Made by protoc-gen-quiver-swift from {file.name}.")
    out()
    out(f"public import {'QuiverServer' if server else 'QuiverClientCore'}")
    for index, service in enumerate(file.service):
        declare_service(out, file.package, service, said, (6, index), names, server)
    for index, message in enumerate(file.message_type):
        declare_message(out, file.package, message, said, (4, index))
    for index, enum in enumerate(file.enum_type):
        declare_enum(out, file.package, enum, said, (5, index))
    return "\n".join(out.lines) + "\n"


def cycle(files: list[Any]) -> str | None:
    """The name of a message that contains itself."""
    inner = {
        f".{file.package}.{message.name}": [f.type_name for f in message.field if f.type_name]
        for file in files for message in file.message_type
    }  # fmt: skip
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> str | None:
        if name in above:
            return name[1:]
        if name in done:
            return None
        for other in inner.get(name, []):
            if found := visit(other, (*above, name)):
                return found
        done.add(name)
        return None

    return next((found for name in inner if (found := visit(name, ()))), None)


def main() -> None:
    request = plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    response = plugin_pb2.CodeGeneratorResponse(
        supported_features=plugin_pb2.CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
    )
    options = [option for option in request.parameter.split(",") if option]
    files = list(request.proto_file)
    wanted = [file for file in files if file.name in set(request.file_to_generate)]
    try:
        if unknown := set(options) - {"server"}:
            raise Refusal(f"unknown option {min(unknown)}; there is server")
        if found := cycle(wanted):
            raise Refusal(f"{found}: a message must not contain itself")
        names = Names(files)
        for file in wanted:
            name = file.name.rsplit("/", 1)[-1].removesuffix(".proto")
            made = response.file.add(name=f"{name}.swift")
            made.content = write(file, names, "server" in options)
    except Refusal as refusal:
        del response.file[:]
        response.error = str(refusal)
    sys.stdout.buffer.write(response.SerializeToString())


if __name__ == "__main__":
    main()
