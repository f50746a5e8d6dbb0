import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Actors that keep a reply stream open: subscribers that read at once, and slow readers.
///
/// A watch counts as answered at its first message, whose time is its latency. An interrupted watch
/// counts as failed, and resumes at its position.
final class WatchWork: RoleWork {
  let tallies: [Tally]
  private let tally: Tally
  private let role: Scenario.Role
  private let context: RunContext
  private let call: PreparedCall
  private let clients: [any LoadCaller]
  /// The delay between two messages in seconds; 0 for none.
  private let interval: Double

  /// The delay before a watch is resumed, in seconds.
  private static let pause = 0.5

  init(
    _ role: Scenario.Role, _ context: RunContext, _ call: PreparedCall, _ clients: [any LoadCaller],
    interval: Double
  ) {
    self.role = role
    self.context = context
    self.call = call
    self.clients = clients
    self.interval = interval
    tally = call.tally
    tallies = [call.tally]
  }

  func live(_ life: ActorLife) async {
    var scope = context.scope(role, actor: life.number)
    let client = clients[life.number % clients.count]
    var state = WatchState(
      ledger: call.method.name == Tournament.watchLeaderboard.name
        ? context.scores.map { CommitLedger($0) } : nil)
    while !life.shallStop, !Task.isCancelled {
      await watch(over: client, &scope, &state, life)
      guard !life.shallStop, !Task.isCancelled else { return }
      await life.wait(seconds: Self.pause)
    }
  }

  /// One stream, from its opening to its end.
  private func watch(
    over client: any LoadCaller, _ scope: inout TemplateScope, _ state: inout WatchState,
    _ life: ActorLife
  ) async {
    let sent = Clock.nanoseconds()
    var last = sent
    var isFirst = true
    tally.began()
    do throws(RPCError) {
      var options = CallOptions()
      options.after = state.position
      let stream = try client.openStream(call.method, try call.request(&scope), options)
      while let message = try await stream.next() {
        let now = Clock.nanoseconds()
        tally.message(sinceSent: now &- sent, sinceLast: now &- last, isFirst: isFirst)
        if isFirst { tally.ended(intended: sent, sent: sent, now: now, nil, isOpen: false) }
        (isFirst, last) = (false, now)
        tally.delays(state.take(message, now: now) { tally.note($0) })
        if interval > 0 { await life.wait(seconds: interval) }
        guard !life.shallStop else {
          stream.cancel(RPCError(.cancelled, "the run is over", origin: .client))
          return tally.left()
        }
      }
      tally.note("streams that their server ended")
      tally.left()
    } catch {
      guard error.code != .cancelled || error.origin != .client else { return tally.left() }
      if error.code == .outOfRange, state.position != nil {
        // Its server does not have that history, for example since another one began the watch.
        state = WatchState(continuing: state)
        tally.note("watches that began again with a snapshot")
        return tally.left()
      }
      let failure = (error.code, "\(error.code.name): \(error.message)")
      guard isFirst else { return tally.broke(failure) }
      tally.ended(intended: sent, sent: sent, now: Clock.nanoseconds(), failure)
    }
  }
}

/// The position of a subscriber.
struct WatchState {
  /// Where the stream resumes; nil for a snapshot.
  var position: WatchPosition?
  private var ledger: CommitLedger?
  /// The commit up to which it has received everything.
  private var told: Int64 = 0

  init(ledger: CommitLedger?) { self.ledger = ledger }

  /// A watch that begins again with a snapshot.
  init(continuing other: WatchState) { self.init(ledger: other.ledger) }

  /// Processes a message; returns the delays of the commits that it shows first, and counts a span
  /// that is not adjacent to the previous one.
  mutating func take(
    _ message: [UInt8], now: UInt64, note: (String) -> Void
  ) -> [CommitLedger.Delay] {
    guard ledger != nil else {
      if let span = SpanPeek.span(of: message) { follow(span, note) }
      return []
    }
    guard let shown = try? WatchLeaderboardResponse(serializedBytes: message) else {
      note("messages that do not decode")
      return []
    }
    if let span = shown.span { follow(span, note) }
    var delays: [CommitLedger.Delay] = []
    for row in shown.rows {
      let count = Int(row.arrowCount)
      if shown.span?.isSnapshot ?? true {
        ledger?.snapshot(row.participantID, arrowCount: count)
      } else {
        delays += ledger?.row(row.participantID, arrowCount: count, now: now) ?? []
      }
    }
    for id in shown.removedIDs { ledger?.removed(id) }
    return delays
  }

  private mutating func follow(_ span: WatchSpan, _ note: (String) -> Void) {
    if !span.isSnapshot, span.after != told { note(Self.brokenChain) }
    told = span.upto
    if !span.isIncomplete {
      position = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
    }
  }

  static let brokenChain = "messages with a gap or a repeat before them"
}

/// Reads the span of a watch's message without decoding the rest.
enum SpanPeek {
  /// Nil if the first field is not a `WatchSpan`.
  static func span(of message: [UInt8]) -> WatchSpan? {
    // Field 1, length-delimited: `WatchSpan span = 1` of every watch.
    guard message.first == 0x0A else { return nil }
    return message.withUnsafeBytes { bytes -> WatchSpan? in
      var offset = 1
      guard let count = Varint.read(bytes, at: &offset), count <= UInt64(bytes.count - offset)
      else { return nil }
      return try? WatchSpan(serializedBytes: Array(bytes[offset..<offset + Int(count)]))
    }
  }
}
