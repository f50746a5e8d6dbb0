public import QuiverRPC

extension RPCClient {
  /// Where the server is, who calls, and what holds for every call.
  public struct Configuration: Sendable {
    /// Addresses of one service, each `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`: the first is tried
    /// first, and the next one where that fails; the one that works is kept to.
    public var servers: [String]
    /// The first of ``servers``; setting it makes it the only one.
    public var server: String {
      get { servers.first ?? "" }
      set { servers = [newValue] }
    }
    /// The caller's token as it was printed, `qv_…`; nil: calls without a caller, which only the
    /// methods that need none answer.
    public var token: String?
    /// Sends the token even where the connection is neither encrypted nor on this machine.
    public var allowsPlaintextToken = false
    /// How long a unary call may take whose options do not say; nil: as long as it takes. Streams
    /// last as long as they take.
    public var defaultTimeout: Duration? = .seconds(30)
    /// What messages are compressed with where the server does so too, `Zstd()` of QuiverZstd;
    /// nil: nothing is.
    public var compression: (any Compressor)?
    /// What the program calls itself towards the server, for its logs.
    public var software = "quiver-swift"
    /// What calls do whose options do not say while no connection can be made: wait for one until
    /// their deadline, or fail at once with the latest reason.
    public var waitsForReady = false
    /// Connections, the waits between them, and retries.
    public var limits = ChannelLimits()
    /// Asked before each call and told of its end, in order.
    public var interceptors: [any ClientInterceptor] = []

    /// - Parameters:
    ///   - server: `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
    ///   - token: the caller's token as it was printed.
    public init(server: String = "127.0.0.1:7450", token: String? = nil) {
      servers = [server]
      self.token = token
    }

    /// - Parameters:
    ///   - servers: addresses of one service, in the order in which they are tried.
    ///   - token: the caller's token as it was printed.
    public init(servers: [String], token: String? = nil) {
      self.servers = servers
      self.token = token
    }
  }
}
