/// A service: its name, its number and its methods, and the `ProtobufCServiceDescriptor` made of
/// them.
package final class ServiceSchema: Sendable {
  /// The full name, as in `quiver.v1.Health`.
  package let name: String

  /// What the service's method ids are 256 times of, plus 1 to 255.
  package let number: UInt32

  /// The methods as declared.
  package let methods: [MethodSchema]

  let descriptor: ServiceDescriptor

  /// Traps on a method id outside the service's range or used twice, and on a name used twice.
  package init(_ name: String, number: UInt32, _ methods: [MethodSchema]) {
    for (index, method) in methods.enumerated() {
      precondition(
        number > 0 && method.id / 256 == number && method.id % 256 != 0,
        "method id \(method.id) is not one of \(name)")
      for other in methods[..<index] {
        precondition(
          other.id != method.id && other.name != method.name,
          "method \(method.name) of \(name) is declared twice")
      }
    }
    self.name = name
    self.number = number
    self.methods = methods
    descriptor = ServiceDescriptor(name, methods)
  }

  /// The method with an id.
  package func method(id: UInt32) -> MethodSchema? {
    methods.first { $0.id == id }
  }
}

/// One method of a service.
package struct MethodSchema: Sendable {
  /// 256 × service + 1 to 255; never used for another method.
  package let id: UInt32
  /// The name within the service, as in `Check`.
  package let name: String
  package let kind: MethodKind
  /// The option `mutating`: whether the call changes stored state.
  package let isMutating: Bool
  /// The option `anonymous`: whether a call without a token is answered.
  package let isAnonymous: Bool
  package let input: MessageSchema
  package let output: MessageSchema

  package init<Input: Message, Output: Message>(
    _ id: UInt32, _ name: String, _ kind: MethodKind = .unary, _: Input.Type, _: Output.Type
  ) {
    self.init(
      id: id, name: name, kind: kind, input: Input.schema.core, output: Output.schema.core)
  }

  package init(
    id: UInt32, name: String, kind: MethodKind, isMutating: Bool = false,
    isAnonymous: Bool = false, input: MessageSchema, output: MessageSchema
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.isMutating = isMutating
    self.isAnonymous = isAnonymous
    self.input = input
    self.output = output
  }
}

/// Which sides of a call are streams.
public enum MethodKind: Int32, Sendable, Hashable, CaseIterable {
  /// One request and one response.
  case unary = 1
  /// A stream of requests and one response.
  case clientStreaming = 2
  /// One request and a stream of responses.
  case serverStreaming = 3
  /// Streams both ways.
  case bidirectional = 4

  package init(clientStreams: Bool, serverStreams: Bool) {
    self =
      clientStreams
      ? (serverStreams ? .bidirectional : .clientStreaming)
      : (serverStreams ? .serverStreaming : .unary)
  }

  package var clientStreams: Bool { self == .clientStreaming || self == .bidirectional }
  package var serverStreams: Bool { self == .serverStreaming || self == .bidirectional }
}
