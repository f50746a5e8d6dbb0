import QuiverPlatform
import QuiverRPC
import QuiverWire

/// Observes the connections of a server. Called on their shards.
protocol SocketOwner: AnyObject, Sendable {
  /// The caller of the connection is known; false: it may not have one more.
  func identified(_ socket: Socket, principal: Int64) -> Bool
  /// The caller of the connection has sent no token; false: the connection may not stay.
  func mayStayAnonymous(_ socket: Socket) -> Bool
  /// A trusted proxy has named the address behind the connection.
  func located(_ socket: Socket)
  func closed(_ socket: Socket)
}

/// One connected or connecting socket with the end whose bytes it carries. Confined to its shard.
final class Socket: ConnectionDriver {
  /// Negative while a client's socket waits for its server's address.
  var descriptor: Int32
  let end: any ConnectionEnd
  /// ``end`` where it encrypts; nil: it does not.
  let secure: SecureEnd?
  unowned var shard: Shard!
  /// The socket's place in the shard's table, with its generation, as readiness hands it back.
  var tag: UInt64 = 0
  var watchedEvents: SocketEvents = []
  var isConnecting: Bool
  var isLingering = false
  var isClosed = false
  var isInUnflushed = false
  /// Whether its input waits until that of other callers is processed.
  var isPostponed = false
  /// The time that its caller uses of the shard; nil: the caller is not known, or it is a client's.
  var turnShare: TurnShare?
  /// The address of a client's socket, for the text of a failure.
  private let name: String
  weak var owner: (any SocketOwner)?
  /// Reads the header that a trusted proxy sends first; nil: none is expected any more.
  var proxyHeader: ProxyHeaderParser?
  /// The network by which the connection is counted; nil: it is not known yet.
  var network: String?
  /// Addresses that are tried when the present one fails, and until when it may take to answer;
  /// 0: as long as the handshake.
  var otherAddresses: ArraySlice<SocketAddress> = []
  var addressDue: UInt64 = 0
  var timePerAddress: UInt64 = 0

  /// A connected socket.
  init(descriptor: Int32, end: any ConnectionEnd) {
    self.descriptor = descriptor
    self.end = end
    secure = end as? SecureEnd
    isConnecting = false
    name = ""
  }

  /// A socket that is still to be made, of a client's end.
  init(connecting end: any ConnectionEnd, name: String) {
    descriptor = -1
    self.end = end
    secure = end as? SecureEnd
    isConnecting = true
    self.name = name
  }

  /// The server's end that the socket carries, plain or encrypted; nil: a client's.
  var serverEnd: ServerEnd? { (secure?.plain ?? end) as? ServerEnd }

  /// The end of another protocol that the socket carries, plain or encrypted; nil: none.
  var drivenEnd: (any DrivenEnd)? { (secure?.plain ?? end) as? any DrivenEnd }

  func hasOutput() {
    guard !isClosed else { return }
    shard.needsFlush(self)
  }

  func admits(principal: Int64) -> Bool {
    owner?.identified(self, principal: principal) ?? true
  }

  func admitsAnonymous() -> Bool { owner?.mayStayAnonymous(self) ?? true }

  /// The socket has become writable: why it could not connect, or nil if it has.
  func finishConnecting() -> String? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    guard code == 0 else { return reason(code) }
    isConnecting = false
    otherAddresses = []
    addressDue = 0
    return nil
  }

  /// Why the server cannot be reached, in words that name it.
  func reason(_ code: Int32) -> String { "cannot connect to \(name): \(SystemError(code))" }
}

@available(*, unavailable)
extension Socket: Sendable {}
