public import QuiverWire

/// The reason why a session could not do what was requested, as a sentence for users.
public struct SessionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public var code: Code
  /// A sentence that states what happened and what to do.
  public var message: String
  /// The proto path of the invalid field; nil: none.
  public var field: String?
  /// What was attempted, for example "load equipment"; nil: unknown.
  public var operation: String?

  /// The kind of failure. More codes may be added.
  public struct Code: Sendable, Equatable {
    private let value: Value

    private enum Value: Equatable {
      case invalid, notFound, full, notSignedIn, notPossible, unusableFile, storage, closed
      case call(StatusCode)
    }

    private init(_ value: Value) { self.value = value }

    /// A value is not valid; nothing was changed.
    public static let invalid = Self(.invalid)
    /// There is no such object or outbox entry on this device.
    public static let notFound = Self(.notFound)
    /// A limit of ``SessionLimits`` is reached.
    public static let full = Self(.full)
    /// Nobody has signed in on this device yet; the first time needs a connection.
    public static let notSignedIn = Self(.notSignedIn)
    /// The present state does not allow it.
    public static let notPossible = Self(.notPossible)
    /// The local file is not a session's, is damaged, is from a newer version, or is in use.
    public static let unusableFile = Self(.unusableFile)
    /// The local file could not be read or written.
    public static let storage = Self(.storage)
    /// The session has been closed.
    public static let closed = Self(.closed)

    /// The server, or the connection to it, ended a call with this status.
    public static func call(_ status: StatusCode) -> Self { Self(.call(status)) }

    /// The status that ended a call; nil for other codes.
    public var status: StatusCode? {
      if case .call(let status) = value { status } else { nil }
    }
  }

  /// Creates an error without an operation.
  public init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }

  public var description: String {
    let sentence = field.map { "\($0): \(message)" } ?? message
    return operation.map { "Failed to \($0): \(sentence)" } ?? sentence
  }

  /// The same error with the attempted operation.
  func whileTrying(to operation: String) -> SessionError {
    var error = self
    error.operation = operation
    return error
  }
}
