public import QuiverWire

/// Why a session could not do what was asked, in a sentence for people.
public struct SessionError: Error, Sendable, Equatable, CustomStringConvertible {
  public var code: Code
  /// What happened and what to do.
  public var message: String
  /// The proto path of the field that cannot be as it is, where there is one.
  public var field: String?

  /// What kind of failure it is.
  public enum Code: Sendable, Equatable {
    /// A value cannot be as it is; nothing was kept.
    case invalid
    /// There is no such object or entry here.
    case notFound
    /// A limit of the session is reached.
    case full
    /// Nobody has signed in here yet, and that takes a connection once.
    case notSignedIn
    /// What was asked does not go in the present state.
    case notPossible
    /// The local file is foreign, damaged, newer than the program, or in use by another.
    case unusableFile
    /// The local file could not be read or written.
    case storage
    /// The session or its file has been closed.
    case closed
    /// The server, or the way to it, ended a call.
    case call(StatusCode)
  }

  public init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }

  public var description: String {
    field.map { "\($0): \(message)" } ?? message
  }
}
