import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch
import QuiverObservability
import QuiverStore
import QuiverWire

/// The settings of the flags, the environment and the configuration file.
struct Configuration: Sendable, Equatable {
  var listen: [Endpoint] = []
  /// Listening sockets of the service manager.
  var passedSockets: [PassedSockets.Socket] = []
  var dataDirectory = "./data"
  /// The address of the database of PostgreSQL that the server stores in; nil: it stores in SQLite
  /// in the data directory.
  var database: String?
  /// The address of a replica of that database, for reads; nil: all reads are of the database.
  var readDatabase: String?
  /// Create the data directory and its database where they are missing.
  var initializes = false
  var diagnostics = false
  /// Listen without TLS beyond loopback, though nothing is encrypted.
  var allowsPlaintext = false
  var tls = TLSOptions()
  /// The gateway that the server starts.
  var web = WebOptions()
  /// The callers over Unix sockets without a token: principals by the kernel's user id.
  var unixPrincipals: [UInt32: Int64] = [:]
  /// The services whose connections may state the addresses of the callers that they serve.
  var gatewayPrincipals: Set<Int64> = []
  /// The permissions of the files of Unix sockets.
  var unixMode: UInt32 = 0o600
  var compression = Compression.zstd
  /// How many shards; 0: one a core.
  var shardCount = 0
  var logLevel = LogLevel.info
  var logFormat = LogFormat.logfmt
  /// Calls that take as long are logged; 0: none.
  var slowCallMilliseconds = 1_000
  /// One of this number of calls is logged; 0: none.
  var loggedCallInterval = 0
  /// Where metrics and probes are answered; nil: nowhere.
  var metrics: Endpoint?
  /// Where spans of traced calls are sent; nil: nowhere.
  var traces: TraceEndpoint?
  var limits = Limits()
  /// Networks whose connections begin with a PROXY protocol header.
  var trustedProxies = TrustedNetworks()
  /// The same as it was written.
  var trustedProxyText = ""
  var store = StoreBounds()
  /// Scheduled backups; without a directory none are made.
  var backups = BackupSchedule(directory: "")
  /// The SHA-256 that a backup to restore must have, in hexadecimal digits.
  var restoreSHA256: String?

  static let defaultEndpoint = "127.0.0.1:7450"

  /// The same with those values of `new` that a running server can take.
  func taking(reloadable new: Configuration) -> Configuration {
    var result = self
    result.logLevel = new.logLevel
    result.trustedProxies = new.trustedProxies
    result.trustedProxyText = new.trustedProxyText
    result.backups = new.backups
    result.backups.directory = backups.directory
    for limit in LimitFlag.all where limit.flag.isReloadable {
      limit.copy(from: new.limits, to: &result.limits)
    }
    return result
  }

  /// What messages are compressed with.
  enum Compression: String, Sendable { case zstd, none }
}
