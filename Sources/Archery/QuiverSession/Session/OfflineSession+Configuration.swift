public import QuiverRPC

extension OfflineSession {
  /// The server, the caller's token, and the directory of the local data.
  public struct Configuration: Sendable {
    /// The addresses of one service, each `HOST:PORT`, `[IPv6]:PORT`, `unix:PATH`, or one of the
    /// first two after `tls://`. The first is tried first, the next one when it fails; the session
    /// stays with the one that works.
    public var servers: [String]
    /// The first of ``servers``; setting it replaces them all.
    public var server: String {
      get { servers.first ?? "" }
      set { servers = [newValue] }
    }
    /// The caller's token as the server printed it, `qv_…`.
    public var token: String
    /// The directory of the local data, which only this app uses; created if it is missing.
    public var directory: String
    /// The name of this device in the audit of scores; at most 200 characters.
    public var device = ""
    /// Whether the token is sent even if the connection is neither encrypted nor local.
    public var allowsPlaintextToken = false
    /// Whether changes are sent as soon as there is a connection. Otherwise only
    /// ``OfflineSession/syncNow()`` sends them.
    public var syncsByItself = true
    /// Encrypts connections, `try .tls()` of QuiverTLS; nil: connections are not encrypted, and
    /// addresses with `tls://` are refused.
    public var security: TransportSecurity?
    /// The limits of local data, and the delays between attempts.
    public var limits = SessionLimits()

    /// Creates a configuration with the default of each other property.
    public init(server: String, token: String, directory: String) {
      servers = [server]
      self.token = token
      self.directory = directory
    }
  }

  /// The state of the connection to the server.
  public enum Connection: Sendable, Equatable {
    /// No connection was tried yet.
    case untried
    /// The server answered the last call.
    case online
    /// The server could not be reached.
    case offline
    /// The server rejects the token; nothing is sent with it.
    case signedOut
  }
}
