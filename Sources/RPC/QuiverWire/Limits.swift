/// Every limit of the transport, in one place, each with its default; configuration can set them.
///
/// Sizes are bytes unless the name states another unit, times are milliseconds. ``validate()``
/// checks the relations between them.
@usableFromInline
package struct Limits: Sendable, Equatable {
  // What a HELLO states, and what an absent field of one means.
  package var maxFrameBytes = 16 * 1024
  package var maxMessageBytes = 4 * 1024 * 1024
  package var maxConcurrentStreams = 100
  package var initialStreamCredit: UInt64 = 64 * 1024
  package var initialConnectionCredit: UInt64 = 1024 * 1024
  package var pingFloorMilliseconds = 10_000

  // Before a caller is known.
  package static let anonymous = {
    var limits = Limits()
    limits.maxFrameBytes = 4 * 1024
    limits.maxMessageBytes = 4 * 1024
    limits.maxConcurrentStreams = 1
    limits.initialStreamCredit = 16 * 1024
    limits.initialConnectionCredit = 16 * 1024
    return limits
  }()

  // The protocol's own numbers, which no configuration changes.
  /// Added to the payload of each charged frame.
  @inlinable package static var frameCharge: Int { 32 }
  /// No HELLO may state more.
  package static let largestMaxFrameBytes = 1024 * 1024
  /// No byte field of a HELLO may state less.
  package static let smallestByteField = 4 * 1024
  package static let maxStatusBytes = 80 * 1024
  package static let maxHeadersBytes = 16 * 1024
  package static let maxControlBytes = 4 * 1024
  package static let creditBytes = 8
  package static let pingBytes = 8
  /// The smallest payload of a DATA or RESPONSE with MORE.
  package static let smallestPart = 1024
  @inlinable package static var largestStreamID: UInt32 { 0x7FFF_FFFF }
  package static let largestCredit: UInt64 = 0x7FFF_FFFF_FFFF_FFFF
  @inlinable package static var idempotencyKeyBytes: Int { 16 }
  package static let traceparentBytes = 25
  package static let maxMetadataEntries = 64
  package static let maxMetadataBytes = 8 * 1024
  package static let maxMetadataKeyBytes = 64
  package static let maxStatusTextBytes = 1024
  package static let maxStatusDetailBytes = 64 * 1024
  /// What any compressed message may inflate to, whatever its ratio.
  package static let inflateFloorBytes = 64 * 1024
  /// The ratio, message to compressed message, that every receiver takes.
  package static let safeInflateRatio = 100

  /// How long one of several addresses of a name may take to answer before the next one is tried;
  /// less if the handshake's time is not sufficient for all.
  package static let addressMilliseconds = 2_000

  /// The push-back of a call over `maxConcurrentStreams`: after a CANCEL a client cannot know that
  /// its slot is not free yet, and that is soon over.
  package static let fullConnectionRetryMilliseconds: Int32 = 10

  // Time.
  /// A peer that has not finished its HELLO by then is closed.
  package var handshakeTimeoutMilliseconds = 5_000
  /// A started frame must end by then.
  package var frameTimeoutMilliseconds = 30_000
  /// An incomplete message that receives nothing for this long ends its call. So does one that is
  /// older than this and arrived more slowly than ``minimumReceiveRate``.
  package var reassemblyTimeoutMilliseconds = 60_000
  /// Bytes a second at which an incomplete message must come, on average since it began.
  package var minimumReceiveRate = 1_024
  /// A reply, or a stream with queued messages, that sends nothing for this long because the client
  /// reads nothing ends its call.
  package var unreadTimeoutMilliseconds = 60_000
  /// Output that makes no progress for this long ends the connection.
  package var outputStallMilliseconds = 10_000
  package var clientKeepaliveMilliseconds = 20_000
  package var serverKeepaliveMilliseconds = 60_000
  package var keepaliveTimeoutMilliseconds = 10_000
  /// A connection of this age is drained, give or take a tenth; 0: at any age it stays.
  package var connectionAgeMilliseconds = 0
  /// A connection without a call for this long is drained, give or take a tenth; 0: it stays.
  package var connectionIdleMilliseconds = 0
  /// An anonymous connection without a call for this long is drained; 0: it stays.
  package var anonymousIdleMilliseconds = 30_000
  /// How long a drain waits for its PING before it names the last stream.
  package var drainRoundTripMilliseconds = 10_000
  /// How long open calls may continue in a drain.
  package var drainMilliseconds = 30_000
  /// How long a closing side reads on, so that a reset does not destroy its GOAWAY.
  package var lingerMilliseconds = 1_000
  /// The longest timeout that a request may state; more is read as this.
  package var longestTimeoutMilliseconds: UInt32 = 0x7FFF_FFFF

  // Abuse.
  /// CANCELs and provoked stream errors that a peer may make within the window.
  package var resetBudget = 200
  package var resetWindowMilliseconds = 10_000
  /// PINGs below the floor that a peer may send within the window.
  package var pingBudget = 10
  package var pingWindowMilliseconds = 60_000
  /// Answers to PING, and STATUS, that may wait before the reader stops.
  package var maxQueuedAnswers = 1_024
  /// Refusals for lack of memory that do not pause the reading of a connection.
  package static let promptRefusals = 16
  /// The first pause after these; each further refusal doubles it.
  package static let firstRefusalPauseMilliseconds = 20
  package static let longestRefusalPauseMilliseconds = 1_000
  /// PINGs that may be unanswered at once, of either side.
  package static let maxUnansweredPings = 2

  // Memory.
  /// Messages in reassembly, in all streams of a connection.
  package var reassemblyBytes = 16 * 1024 * 1024
  /// Those and the messages that no handler has taken yet, in all streams of a connection.
  package var heldInputBytes = 32 * 1024 * 1024
  /// A smaller message is not compressed.
  package var compressFromBytes = 1_024
  /// The largest ratio of the inflated size of a message to its compressed size.
  package var inflateRatio = 256
  /// Output that is framed and not yet written, after which no more is framed.
  package var outputHighWater = 64 * 1024
  /// Messages of one stream that are queued and not framed, after which its sender waits until
  /// half of it is out.
  package var streamOutputBytes = 64 * 1024
  /// Output, framed or queued, after which new calls of the connection are refused.
  package var outputBytes = 16 * 1024 * 1024
  /// The same on a connection without a caller.
  package var anonymousOutputBytes = 16 * 1024
  /// Calls of a client connection that wait for a stream, in all.
  package var maxWaitingCalls = 10_000
  /// The largest number of bytes of one read from a connection before others have their turn.
  package var readTurnBytes = 64 * 1024

  // The server as a whole.
  /// What all connections may hold for their peers: output, messages in parts and those not taken.
  package var processBytes = 512 * 1024 * 1024
  /// The part of ``processBytes``, in percent, that the connections of one principal, or of one
  /// anonymous address, may hold.
  package var sharePercent = 25
  /// The same in bytes.
  package var shareBytes: Int { processBytes / 100 * sharePercent }
  /// No call of a share that holds at most this fraction of ``processBytes`` is refused while the
  /// process is short of memory, until all of it is held.
  package static let smallShareDivisor = 64
  /// A share that holds all but this fraction of ``shareBytes`` may make no more calls.
  package static let fullShareDivisor = 8
  /// Of ``processBytes``: from here on new calls of shares that are not small are refused.
  package static let refusingPercent = 80
  /// Of ``processBytes``: from this percentage on a message of such a share that would have to be
  /// stored ends its call, and the largest connection of the share that holds most is closed.
  package static let sheddingPercent = 95
  package var maxConnections = 20_000
  package var maxConnectionsPerAddress = 20_000
  /// Connections of one principal.
  package var maxConnectionsPerPrincipal = 12_000
  /// Connections of one address, of IPv6 one /64, on which no caller is known.
  package var maxAnonymousConnectionsPerAddress = 1_000
  /// The part of ``maxConnections`` that anonymous connections leave to callers with a token.
  package static let reservedConnectionPercent = 5
  /// Rejected connections that receive GOAWAY at the same time.
  package var maxRejectedConnections = 256
  /// TLS handshakes that are not over, in all: one more ends the oldest.
  package var maxUnfinishedHandshakes = 1_024
  /// The same of an address: one more is refused.
  package var maxUnfinishedHandshakesPerAddress = 128
  /// Rejected tokens an address within a minute, after which its connections are rejected.
  package var maxFailedTokensPerMinute = 30
  /// Rejected invite codes an address within a minute, after which it must wait.
  package var maxFailedInvitesPerMinute = 10

  package init() {}
}
