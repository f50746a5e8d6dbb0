public import QuiverWire

/// Why a call did not succeed: a status, which side set it, and whether the call had any effect.
///
/// Handlers throw it to end a call with that status; clients catch it. The description carries the
/// message and no data of a user.
public struct RPCError: Error, Sendable, Equatable, CustomStringConvertible {
  /// gRPC's status code, or the number that a newer server sent; never `StatusCode.ok`.
  public var code: StatusCode
  /// What happened and what to do, in a sentence; at most 1 KiB on the wire.
  public var message: String
  /// Messages that programs read, with their full names; at most 64 KiB on the wire.
  public var details: [Detail]
  /// Trailing metadata.
  public var metadata: Metadata
  /// The call certainly had no effect and may be sent again.
  public var isNotProcessed: Bool
  /// The server's push-back in milliseconds; -1: never send it again; nil: it stated none.
  public var retryAfterMilliseconds: Int32?
  /// Which side ended the call.
  public var origin: Origin

  /// A message that is sent with a status.
  public struct Detail: Sendable, Equatable {
    /// The full name of the message, for example `quiver.v1.Riser`.
    public var type: String
    /// The message, encoded.
    public var value: [UInt8]

    /// A message with its full name.
    public init(type: String, value: [UInt8]) {
      self.type = type
      self.value = value
    }
  }

  /// Which side ended the call. More origins may be added: a `switch` needs a `default`.
  public struct Origin: Sendable, Hashable, CustomStringConvertible {
    private let value: Value

    private enum Value: String {
      case server = "the server"
      case client = "this client"
      case connection = "the connection"
    }

    private init(_ value: Value) { self.value = value }

    /// The server answered with this status.
    public static let server = Self(.server)
    /// This side gave the call up: its deadline, its cancelling, its limits.
    public static let client = Self(.client)
    /// The connection failed or could not be made.
    public static let connection = Self(.connection)

    /// The side in words, as in "the server".
    public var description: String { value.rawValue }
  }

  /// Creates an error; each parameter is the property of its name.
  ///
  /// An error with the code `StatusCode.ok` gets `StatusCode.unknown`. A handler that throws an
  /// error usually needs only the code and the message.
  public init(
    _ code: StatusCode, _ message: String, details: [Detail] = [], metadata: Metadata = [:],
    isNotProcessed: Bool = false, retryAfterMilliseconds: Int32? = nil, origin: Origin = .server
  ) {
    self.code = code == .ok ? .unknown : code
    self.message = message
    self.details = details
    self.metadata = metadata
    self.isNotProcessed = isNotProcessed
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.origin = origin
  }

  /// The error of an anonymous call of a method that needs a caller.
  package static let needsToken = RPCError(
    .unauthenticated, "this call needs a token", isNotProcessed: true)

  /// What a call ends with that would wait behind `limit` others.
  package static func tooManyWaiting(_ limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, "more than \(limit) calls wait to be sent", isNotProcessed: true,
      origin: .client)
  }

  public var description: String {
    let effect = isNotProcessed ? "; the call was not processed" : ""
    return "\(code) from \(origin): \(message)\(effect)"
  }
}
