import QuiverProtobuf

/// What reflection has of `grpc/health/v1/health.proto`, whose service the gateway answers by
/// Quiver's own.
enum HealthFile {
  static let path = "grpc/health/v1/health.proto"
  static let service = "grpc.health.v1.Health"
  /// Quiver's service of health, which answers.
  static let ownService = "quiver.v1.Health"

  /// What is declared in the file.
  static let symbols = [
    service, service + ".Check", service + ".Watch", "grpc.health.v1.HealthCheckRequest",
    "grpc.health.v1.HealthCheckResponse",
  ]

  private static let request = ".grpc.health.v1.HealthCheckRequest"
  private static let response = ".grpc.health.v1.HealthCheckResponse"

  static let bytes = File.with { file in
    file.name = path
    file.package = "grpc.health.v1"
    file.syntax = "proto3"
    file.messageType = [
      .with { message in
        message.name = "HealthCheckRequest"
        message.field = [.with { ($0.name, $0.number, $0.label, $0.type) = ("service", 1, 1, 9) }]
      },
      .with { message in
        message.name = "HealthCheckResponse"
        message.field = [
          .with { field in
            (field.name, field.number, field.label, field.type) = ("status", 1, 1, 14)
            field.typeName = response + ".ServingStatus"
          }
        ]
        message.enumType = [
          .with { type in
            type.name = "ServingStatus"
            type.value = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"].enumerated()
              .map { number, name in .with { ($0.name, $0.number) = (name, Int32(number)) } }
          }
        ]
      },
    ]
    file.service = [
      .with { service in
        service.name = "Health"
        service.method = ["Check", "Watch"].map { name in
          .with { method in
            (method.name, method.inputType, method.outputType) = (name, request, response)
            method.serverStreaming = name == "Watch"
          }
        }
      }
    ]
  }.serializedBytes()

  /// The fields of `google.protobuf.FileDescriptorProto` that are needed.
  struct File: Message {
    var name = ""
    var package = ""
    var messageType: [MessageType] = []
    var service: [ServiceDescriptorProto] = []
    var syntax = ""

    static let schema = Schema<Self>(
      "google.protobuf.FileDescriptorProto", .string(1, "name", \.name),
      .string(2, "package", \.package), .messages(4, "message_type", \.messageType),
      .messages(6, "service", \.service), .string(12, "syntax", \.syntax))
  }

  /// `google.protobuf.DescriptorProto`.
  struct MessageType: Message {
    var name = ""
    var field: [FieldDescriptorProto] = []
    var enumType: [EnumDescriptorProto] = []

    static let schema = Schema<Self>(
      "google.protobuf.DescriptorProto", .string(1, "name", \.name),
      .messages(2, "field", \.field), .messages(4, "enum_type", \.enumType))
  }
}
