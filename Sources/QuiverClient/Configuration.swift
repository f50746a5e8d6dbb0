public import QuiverRPC

extension QuiverClient {
  /// Where the server is, who calls, and what holds for every call.
  public struct Configuration: Sendable {
    /// `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
    public var server: String
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

    /// - Parameters:
    ///   - server: `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
    ///   - token: the caller's token as it was printed.
    public init(server: String = "127.0.0.1:7450", token: String? = nil) {
      self.server = server
      self.token = token
    }
  }
}

/// What a caller asks for beside the request.
public struct CallOptions: Sendable {
  /// How long the call may take in all: connecting, waiting, sending, handling and reading; nil:
  /// the client's default.
  public var timeout: Duration?
  /// Goes with the request: at most 64 entries and 8 KiB.
  public var metadata: Metadata
  /// Under which a mutating call has its effect once, however often it is sent; nil: one is made
  /// for each call of a mutating method. Keep it to send the same call again after an unclear
  /// failure.
  public var idempotencyKey: IdempotencyKey?
  /// Where a watch goes on; nil: it begins with a snapshot.
  public var after: WatchPosition?

  public init(
    timeout: Duration? = nil, metadata: Metadata = [:], idempotencyKey: IdempotencyKey? = nil,
    after: WatchPosition? = nil
  ) {
    self.timeout = timeout
    self.metadata = metadata
    self.idempotencyKey = idempotencyKey
    self.after = after
  }
}

/// How far a watch has come, as its messages say: kept, it goes on there without gap or repeat.
public struct WatchPosition: Sendable, Equatable {
  /// Of the last change that was seen, from 1.
  public var sequence: Int64
  /// Of the store that counted it; new whenever that is created or restored.
  public var storeEpoch: UInt64

  public init(sequence: Int64, storeEpoch: UInt64) {
    self.sequence = sequence
    self.storeEpoch = storeEpoch
  }
}
