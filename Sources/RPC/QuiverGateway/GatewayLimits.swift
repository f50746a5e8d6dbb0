import QuiverWire

/// Every limit of a gateway, in one place, each with its default.
package struct GatewayLimits: Sendable, Equatable {
  // Connections.
  /// The most connections at once.
  package var maxConnections = 10_000
  /// The most connections from one address; IPv6 is counted by /64.
  package var maxConnectionsPerAddress = 1_000
  /// A connection without an open request is closed after this time.
  package var idleMilliseconds = 60_000
  /// A connection that has sent no complete request is closed after this time.
  package var firstRequestMilliseconds = 10_000
  /// A connection or stream whose output the peer does not read ends after this time.
  package var stalledMilliseconds = 60_000
  /// How long a closed connection waits for its peer to close too.
  package var lingerMilliseconds = 1_000
  /// How long open requests may continue after a drain has begun.
  package var drainMilliseconds = 30_000

  // Requests.
  /// Bytes of a request's target and fields, each field counted with 32 more.
  package var maxHeadBytes = 16_384
  /// The most fields of a request.
  package var maxFields = 128
  /// Bytes of one message, compressed and not.
  package var maxMessageBytes = 4_194_304
  /// The same of a caller without a token: what a server accepts of one.
  package var maxAnonymousMessageBytes = Limits.anonymous.maxMessageBytes
  /// The largest ratio of the size of a message to its compressed size, above 64 KiB.
  package var inflateRatio = Limits().inflateRatio
  /// Requests that wait for the conversion of a large message; a further one ends
  /// RESOURCE_EXHAUSTED.
  package var maxWaitingConversions = 1_024
  /// Those of one caller.
  package var maxWaitingConversionsPerCaller = 128
  /// Requests that are open at once on one HTTP/2 connection.
  package var maxStreams = 100
  /// Streams that a peer may open on one HTTP/2 connection above ``maxStreams``, which are refused,
  /// before the connection ends.
  package var maxRefusedStreams = 1_000
  /// Streams that a peer may reset, or make this side reset by errors, in one burst, and each
  /// second after it.
  package var resetBurst: UInt64 = 200
  package var resetsPerSecond: UInt64 = 33
  /// The time for the acknowledgement of the SETTINGS of an HTTP/2 connection.
  package var settingsMilliseconds = 10_000
  /// A request body that is to be read whole must come at this average rate, after a grace of
  /// ``stalledMilliseconds``; one of which nothing has come by ``firstRequestMilliseconds`` ends.
  package var minBodyBytesPerSecond = 1_024

  // Memory.
  /// Bytes of a request body that wait to be read: the flow-control window of a stream.
  package var streamWindowBytes = 65_536
  /// The flow-control window of a connection.
  package var connectionWindowBytes = 1_048_576
  /// Frames other than DATA that wait for their way into the output of an HTTP/2 connection; with
  /// more its input waits.
  package var maxQueuedFrames = 500
  /// Bytes of a response that wait to be sent before its source has to wait.
  package var responseBufferBytes = 65_536
  /// Bytes of all requests and responses that are held at once; above it new requests end
  /// RESOURCE_EXHAUSTED.
  package var maxHeldBytes = 268_435_456
  /// Those of the callers of one address; IPv6 is counted by /64.
  package var maxHeldBytesPerAddress = 67_108_864
  /// Bytes of replies of streams and of their JSON that are kept for other callers who are sent the
  /// same.
  var maxSharedReplyBytes = 4_194_304
  /// A reply is compressed from this size on, where the caller accepts it.
  package var compressedFromBytes = 1_024

  /// Requests that are open at once in the process; a further one ends RESOURCE_EXHAUSTED.
  package var maxOpenRequests = 8_192
  /// Those of the callers of one address; IPv6 is counted by /64.
  package var maxOpenRequestsPerAddress = 2_048

  // The server behind the gateway.
  /// Streams of callers without a token that are open at once; a further one ends
  /// RESOURCE_EXHAUSTED. Without a credential of the gateway each has a connection to the server.
  package var maxAnonymousStreams = 256
  /// Those of one address; IPv6 is counted by /64.
  package var maxAnonymousStreamsPerAddress = 32

  /// Connections to the server for one caller, each with as many calls as the server allows.
  package var maxServerConnections = 16
  /// Calls of one caller that wait for a connection with room; a further one ends
  /// RESOURCE_EXHAUSTED.
  package var maxWaitingCalls = 1_000
  /// Bytes of replies that a call may have waiting between server and gateway, for each stream and
  /// for each connection: enough for all of its streams, so that an unread stream does not delay
  /// the others.
  package var streamCreditBytes: UInt64 = 32_768
  package var connectionCreditBytes: UInt64 = 67_108_864
  /// Callers, identified by their tokens, whose connections to the server are kept.
  package var maxCallers = 4_096
  /// Callers whose token the server has not accepted yet, beside those: one more replaces the
  /// oldest of them, and never a caller whose token is known to be valid.
  package var maxUnprovenCallers = 256
  /// Callers with tokens of spectators whose connections are kept: one more replaces the one that
  /// was used longest ago, and no other caller.
  package var maxSpectatorCallers = 1_024
  /// A connection to the server without a call is closed after this time, or up to half of it
  /// later.
  package var serverIdleMilliseconds = 60_000
  /// Bytes of a token.
  package var maxTokenBytes = 512
  /// How often the description of the server's methods is checked at most.
  package var describeMilliseconds = 30_000
  /// The interval after which an unknown method is looked up again.
  package var unknownMethodMilliseconds = 1_000

  package init() {}
}
