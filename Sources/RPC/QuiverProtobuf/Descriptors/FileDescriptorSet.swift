/// The subset of `google/protobuf/descriptor.proto` that Quiver's own files need, without types
/// that contain themselves: no nested messages, no maps.
///
/// `descriptor.proto` is proto2, so a zero that is set is written; hence the optionals.
package struct FileDescriptorSet: Message {
  package var file: [FileDescriptorProto] = []

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.FileDescriptorSet", .messages(1, "file", \.file))
}

package struct FileDescriptorProto: Message {
  package var name = ""
  package var package = ""
  package var dependency: [String] = []
  package var messageType: [DescriptorProto] = []
  package var enumType: [EnumDescriptorProto] = []
  package var service: [ServiceDescriptorProto] = []
  package var `extension`: [FieldDescriptorProto] = []
  package var syntax = ""

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.FileDescriptorProto", .string(1, "name", \.name),
    .string(2, "package", \.package), .strings(3, "dependency", \.dependency),
    .messages(4, "message_type", \.messageType), .messages(5, "enum_type", \.enumType),
    .messages(6, "service", \.service), .messages(7, "extension", \.extension),
    .string(12, "syntax", \.syntax))
}

package struct DescriptorProto: Message {
  package var name = ""
  package var field: [FieldDescriptorProto] = []
  package var oneofDecl: [OneofDescriptorProto] = []

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.DescriptorProto", .string(1, "name", \.name), .messages(2, "field", \.field),
    .messages(8, "oneof_decl", \.oneofDecl))
}

package struct FieldDescriptorProto: Message {
  package var name = ""
  package var extendee = ""
  package var number: Int32 = 0
  /// 1 optional, 2 required, 3 repeated.
  package var label: Int32 = 0
  /// The raw value of a `FieldType`, or 10 for a group.
  package var type: Int32 = 0
  /// With a leading dot when it is a full name.
  package var typeName = ""
  package var oneofIndex: Int32?
  package var jsonName = ""
  package var proto3Optional = false

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.FieldDescriptorProto", .string(1, "name", \.name),
    .string(2, "extendee", \.extendee), .int32(3, "number", \.number),
    .int32(4, "label", \.label), .int32(5, "type", \.type), .string(6, "type_name", \.typeName),
    .optionalInt32(9, "oneof_index", \.oneofIndex), .string(10, "json_name", \.jsonName),
    .bool(17, "proto3_optional", \.proto3Optional))
}

package struct OneofDescriptorProto: Message {
  package var name = ""

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.OneofDescriptorProto", .string(1, "name", \.name))
}

package struct EnumDescriptorProto: Message {
  package var name = ""
  package var value: [EnumValueDescriptorProto] = []

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.EnumDescriptorProto", .string(1, "name", \.name),
    .messages(2, "value", \.value))
}

package struct EnumValueDescriptorProto: Message {
  package var name = ""
  package var number: Int32?

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.EnumValueDescriptorProto", .string(1, "name", \.name),
    .optionalInt32(2, "number", \.number))
}

package struct ServiceDescriptorProto: Message {
  package var name = ""
  package var method: [MethodDescriptorProto] = []

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.ServiceDescriptorProto", .string(1, "name", \.name),
    .messages(2, "method", \.method))
}

package struct MethodDescriptorProto: Message {
  package var name = ""
  package var inputType = ""
  package var outputType = ""
  package var options: MethodOptions?
  package var clientStreaming = false
  package var serverStreaming = false

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.MethodDescriptorProto", .string(1, "name", \.name),
    .string(2, "input_type", \.inputType), .string(3, "output_type", \.outputType),
    .message(4, "options", \.options), .bool(5, "client_streaming", \.clientStreaming),
    .bool(6, "server_streaming", \.serverStreaming))
}

package struct MethodOptions: Message {
  /// The extensions that `quiver/v1/wire.proto` declares.
  package var methodID: UInt32?
  package var mutating = false
  package var anonymous = false

  package init() {}

  package static let schema = Schema<Self>(
    "google.protobuf.MethodOptions",
    .optionalUint32(50100, "method_id", \.methodID), .bool(50101, "mutating", \.mutating),
    .bool(50102, "anonymous", \.anonymous))

  package static var extensions: [FieldSchema] { schema.core.fields }
}
