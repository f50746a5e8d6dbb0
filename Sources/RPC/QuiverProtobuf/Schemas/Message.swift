/// A protobuf message: a plain value with zero defaults that declares each field once as a property
/// and once in its schema.
///
/// `init()` must give every field its proto3 default (zero, empty, absent); the coder traps on the
/// first use of a type that does not.
public protocol Message: Sendable, Equatable {
  /// The message with every field at its default.
  init()

  /// The fields, declared once: `public static let schema = Schema<Self>("pkg.Name", …)`.
  static var schema: Schema<Self> { get }
}

extension Message {
  /// Decodes a message within the default limits.
  ///
  /// Convenient rather than quick: a `MessageCoder` is made for the one call.
  public init(serializedBytes bytes: [UInt8]) throws(DecodeError) {
    self = try MessageCoder().decode(Self.self, from: bytes)
  }

  /// The encoded message, fields in ascending order.
  public func serializedBytes() -> [UInt8] {
    MessageCoder().encode(self)
  }
}
