extension OfflineSession {
  /// The server, the token, and the directory on this device.
  public struct Configuration: Sendable {
    /// `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
    public var server: String
    /// The caller's token, `qv_…`.
    public var token: String
    /// A directory of the app; created if it is missing.
    public var directory: String
    /// This device's name in the audit of scores, at most 200 characters.
    public var device = ""
    /// Sends the token even if the connection is neither encrypted nor local.
    public var allowsPlaintextToken = false
    /// Whether changes are sent automatically; otherwise only by ``OfflineSession/syncNow()``.
    public var syncsByItself = true
    public var limits = SessionLimits()

    public init(server: String, token: String, directory: String) {
      self.server = server
      self.token = token
      self.directory = directory
    }
  }

  /// The state of a session's connection.
  public enum Connection: Sendable, Equatable {
    /// No call was made yet.
    case untried
    case online
    case offline
    /// The server does not accept the token; nothing is sent with it.
    case signedOut
  }
}
