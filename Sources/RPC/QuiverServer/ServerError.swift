/// Why a server cannot be created or started.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of fault it is. More may be added: a `switch` needs a `default`.
  public struct Code: Sendable, Hashable {
    private let value: Value

    private enum Value { case schema, limits, address, security, state }

    private init(_ value: Value) { self.value = value }

    /// The services: a number that is used twice or reserved, a message that contains itself, a
    /// method without a handler.
    public static let schema = Self(.schema)
    /// A limit is out of range.
    public static let limits = Self(.limits)
    /// An address is malformed or cannot be listened on.
    public static let address = Self(.address)
    /// The files of the certificate cannot be used.
    public static let security = Self(.security)
    /// The server was run before.
    public static let state = Self(.state)
  }

  /// The kind of fault.
  public let code: Code
  /// What is wrong, in a sentence.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
