public import QuiverRPC

extension RPCClient {
  /// The server's address, the caller's token, and the options of every call.
  public struct Configuration: Sendable {
    /// The addresses of one service, each `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`. The first is
    /// tried first, the next one when it fails; the client stays with the one that works.
    public var servers: [String]
    /// The first of ``servers``; setting it replaces them all.
    public var server: String {
      get { servers.first ?? "" }
      set { servers = [newValue] }
    }
    /// The caller's token as the server printed it, `qv_…`; nil: calls are anonymous, which only
    /// some methods allow.
    public var token: String?
    /// Where the token is read again and again, for example `.file(path)`; nil: ``token`` never
    /// changes. ``token`` is used while the source has none.
    public var tokenSource: TokenSource?
    /// Reads the token of the gateway that calls for a caller; nil: no gateway does.
    package var gatewayToken: (@Sendable () -> String?)?
    /// Sends the token even where the connection is neither encrypted nor local.
    public var allowsPlaintextToken = false
    /// Encrypts connections, `try .tls()` of QuiverTLS; nil: connections are not encrypted, and
    /// addresses with `tls://` are refused.
    public var security: TransportSecurity?
    /// The timeout of unary calls whose options have none; nil: they have no deadline. Streams have
    /// no deadline unless their options give one.
    public var defaultTimeout: Duration? = .seconds(30)
    /// Compresses messages where the server supports it, for example `Zstd()` of QuiverZstd; nil:
    /// no message is compressed.
    public var compression: (any Compressor)?
    /// The name of the program, which the server logs.
    public var software = "quiver-swift"
    /// Whether calls wait until their deadline while no connection can be made, unless their
    /// options state otherwise; if false, they fail at once with the latest reason.
    public var waitsForReady = false
    /// Whether each connection has its own Dispatch sources instead of sharing an epoll descriptor,
    /// which takes less time. Platforms without epoll always use sources.
    public var usesDispatchSources = false
    /// The limits of connections, of the delays between them, and of retries.
    public var limits = ChannelLimits()
    /// Called before each call and told of its end, in order.
    public var interceptors: [any ClientInterceptor] = []

    /// Creates a configuration for one server.
    ///
    /// - Parameters:
    ///   - server: `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
    ///   - token: the caller's token as the server printed it; nil: calls are anonymous.
    public init(server: String = "127.0.0.1:7450", token: String? = nil) {
      servers = [server]
      self.token = token
    }

    /// Creates a configuration for a service with several addresses.
    ///
    /// - Parameters:
    ///   - servers: the addresses of one service, in the order in which they are tried.
    ///   - token: the caller's token as the server printed it; nil: calls are anonymous.
    public init(servers: [String], token: String? = nil) {
      self.servers = servers
      self.token = token
    }
  }
}
