import QuiverProtobuf

/// What the server's files import of `google/protobuf/descriptor.proto`: `MethodOptions`, which
/// their method options extend. Reflection leaves the file out, since every protobuf library has
/// it; a client that loads all files from gRPC's reflection asks for it nevertheless.
enum OptionsFile {
  static let path = "google/protobuf/descriptor.proto"

  static let bytes = File.with { file in
    file.name = path
    file.package = "google.protobuf"
    file.messageType = [
      .with { message in
        message.name = "MethodOptions"
        message.extensionRange = [.with { ($0.start, $0.end) = (1_000, 536_870_912) }]
      }
    ]
  }.serializedBytes()

  /// The fields of `google.protobuf.FileDescriptorProto` that are needed.
  struct File: Message {
    var name = ""
    var package = ""
    var messageType: [MessageType] = []

    static let schema = Schema<Self>(
      "google.protobuf.FileDescriptorProto", .string(1, "name", \.name),
      .string(2, "package", \.package), .messages(4, "message_type", \.messageType))
  }

  /// `google.protobuf.DescriptorProto`.
  struct MessageType: Message {
    var name = ""
    var extensionRange: [Range] = []

    static let schema = Schema<Self>(
      "google.protobuf.DescriptorProto", .string(1, "name", \.name),
      .messages(5, "extension_range", \.extensionRange))
  }

  /// `google.protobuf.DescriptorProto.ExtensionRange`; the end is not included.
  struct Range: Message {
    var start: Int32 = 0
    var end: Int32 = 0

    static let schema = Schema<Self>(
      "google.protobuf.DescriptorProto.ExtensionRange", .int32(1, "start", \.start),
      .int32(2, "end", \.end))
  }
}
