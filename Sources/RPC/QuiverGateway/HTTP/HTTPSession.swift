import QuiverWire

/// One version of HTTP on one connection, without I/O. Confined to the connection's reactor.
protocol HTTPSession: AnyObject {
  /// Takes what has come in.
  func receive(_ bytes: UnsafeRawBufferPointer, now: UInt64)
  /// Appends what is to be sent, until `queue` holds `highWater` bytes or there is no more.
  func fill(_ queue: inout ByteQueue, highWater: Int)
  /// Whether input is taken now.
  var wantsInput: Bool { get }
  /// Nothing more is received; the connection closes when its output is written.
  var isFinished: Bool { get }
  /// The peer has broken a rule: it is told so, and is not waited for.
  var hasFailed: Bool { get }
  /// When ``timerFired(now:)`` is to be called, in monotonic nanoseconds; 0: no time is awaited.
  var nextTimer: UInt64 { get }
  func timerFired(now: UInt64)
  /// Takes no more requests.
  func drain()
  /// The peer has disconnected.
  func closed()
  /// The time for requests is over: `isFinished` is true afterwards or soon.
  func finish()

  // What an exchange asks for.
  /// Its response has more to send.
  func changed(_ exchange: HTTPExchange)
  /// Its task has read some of the body, which makes room for as much.
  func consumed(_ byteCount: Int, of exchange: HTTPExchange)
  /// It ends without a complete response.
  func abort(_ exchange: HTTPExchange)
}

extension HTTPSession {
  var hasFailed: Bool { false }
  var nextTimer: UInt64 { 0 }
  func timerFired(now: UInt64) {}
}

/// What a session needs of its connection.
protocol HTTPSessionHost: AnyObject {
  /// The open exchanges of the connection, which the session ends.
  var open: OpenExchanges { get }
  /// Adds the exchange of a request whose head has come to the open ones.
  ///
  /// - Parameter own: fields that are not in the head.
  func makeExchange(
    _ head: KnownHead, own: HTTPFields, session: any HTTPSession, streamID: Int32
  ) -> HTTPExchange
  /// Begins to answer the exchange.
  func answer(_ exchange: HTTPExchange)
  /// The peer has reached a limit.
  func reached(_ limit: GatewayLimit)
  /// There is output that no input has caused.
  func hasOutput()
  /// A session may take input again.
  func wantsInputAgain()
}
