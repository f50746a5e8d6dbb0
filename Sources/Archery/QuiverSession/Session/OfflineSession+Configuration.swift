extension OfflineSession {
  /// Who signs in where, and where this device keeps it.
  public struct Configuration: Sendable {
    /// `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
    public var server: String
    /// The caller's token as it was printed, `qv_…`.
    public var token: String
    /// A directory of the app's own; made where it is missing.
    public var directory: String
    /// What this device is called in the audit of scores, at most 200 characters.
    public var device = ""
    /// Sends the token even where the connection is neither encrypted nor on this machine.
    public var allowsPlaintextToken = false
    /// Whether changes are sent by themselves; else by ``OfflineSession/syncNow()`` alone.
    public var syncsByItself = true
    public var limits = SessionLimits()

    public init(server: String, token: String, directory: String) {
      self.server = server
      self.token = token
      self.directory = directory
    }
  }

  /// How a session stands to its server.
  public enum Connection: Sendable, Equatable {
    /// Nothing has been tried yet.
    case untried
    case online
    case offline
    /// The server does not know the token, or not any more; nothing is sent with it.
    case signedOut
  }
}
