import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire

/// One open watch: a snapshot, then the changes that the journal tells, as fast as its client takes
/// them.
///
/// It keeps no queue of changes: only how far it has told. A client that reads slowly finds the
/// changes of a longer time in one message. Lives on its call's reactor.
// Sendable because it is touched on its reactor alone, once it has been started there.
final class Watch<Source: WatchSource>: @unchecked Sendable {
  private let source: Source
  private let feed: ChangeFeed
  private let replies: StreamResponder<Source.Response>
  /// Everything up to here has been told, or does not show.
  private var seen: Int64
  /// What the last message covered up to.
  private var told: Int64
  /// The next part of the snapshot; nil: it has been told.
  private var nextPart: String?
  private var isFull = false
  private var isOver = false
  private var isPumpQueued = false
  private var listener: Int?

  private init(
    _ source: Source, _ feed: ChangeFeed, _ call: CallContext,
    _ replies: StreamResponder<Source.Response>
  ) {
    self.source = source
    self.feed = feed
    self.replies = replies
    seen = call.afterSequence
    told = call.afterSequence
    nextPart = call.afterSequence == 0 ? "" : nil
  }

  /// Begins a watch for a call, on its reactor.
  static func start(
    _ source: Source, _ feed: ChangeFeed, _ call: CallContext,
    _ replies: StreamResponder<Source.Response>
  ) {
    guard call.afterSequence >= 0 else {
      return replies.fail(RPCError(.invalidArgument, "after_sequence: must not be negative"))
    }
    guard call.afterSequence == 0 || call.storeEpoch == feed.store.epoch else {
      return replies.fail(
        RPCError(
          .outOfRange, "store_epoch: the store is another one since; watch from a snapshot"))
    }
    let watch = Watch(source, feed, call, replies)
    // Listening begins before the first look, so that nothing falls between them.
    let listener = feed.listen(to: source.key) { _ in
      watch.replies.reactor.run { watch.pump() }
    } ended: {
      watch.replies.reactor.run { watch.end(Self.stopping) }
    }
    guard let listener else {
      return replies.fail(
        RPCError(
          .unavailable, "the server is stopping, or too many watch; watch again later",
          isNotProcessed: true))
    }
    watch.listener = listener
    replies.onCancel { watch.end(ServerStream.over) }
    replies.onRoom {
      watch.isFull = false
      watch.pump()
    }
    watch.pump()
  }

  private static var stopping: RPCError {
    RPCError(.unavailable, "the server is stopping; go on from the last position elsewhere")
  }

  private func end(_ error: RPCError) {
    guard !isOver else { return }
    isOver = true
    if let listener { feed.stop(listener) }
    replies.fail(error)
  }

  /// Tells what there is to tell, until the client has enough or a turn has had its share.
  private func pump() {
    guard !isOver, !isFull else { return }
    do throws(StoreError) {
      for _ in 0..<Self.stepsPerTurn {
        guard try step(), !isOver, !isFull else { return }
      }
    } catch {
      return end(RPCError(error))
    }
    guard !isPumpQueued else { return }
    isPumpQueued = true
    replies.reactor.run { [self] in
      isPumpQueued = false
      pump()
    }
  }

  /// Parts and spans that one turn of the reactor tells.
  private static var stepsPerTurn: Int { 4 }

  /// Tells one part of the snapshot, or of the journal; answers false if there is nothing more.
  private func step() throws(StoreError) -> Bool {
    if let part = nextPart {
      try feed.store.read { (snapshot) throws(StoreError) in try self.tellPart(part, snapshot) }
      return true
    }
    return try feed.store.read { (snapshot) throws(StoreError) in try self.tellChanges(snapshot) }
  }

  private func tellPart(_ token: String, _ snapshot: borrowing Snapshot) throws(StoreError) {
    // What changes while later parts are read is told again behind them.
    if token.isEmpty {
      seen = try snapshot.lastSequence()
      told = seen
    }
    var (message, next) = try source.part(token, snapshot)
    nextPart = next.isEmpty ? nil : next
    send(&message, after: 0, isSnapshot: true)
  }

  private func tellChanges(_ snapshot: borrowing Snapshot) throws(StoreError) -> Bool {
    let last = try snapshot.lastSequence()
    guard seen <= last else {
      throw StoreError(
        .outOfRange, "after_sequence: this store has not come so far; watch from a snapshot")
    }
    guard seen < last else { return false }
    guard try seen + 1 >= snapshot.firstSequence() else {
      throw StoreError(
        .outOfRange, "after_sequence: the history is gone; watch from a snapshot")
    }
    let entries = try snapshot.journal(after: seen, limit: StoreLimits.watchedEntries)
    seen = entries.last?.sequence ?? last
    let shown = entries.filter(source.concerns)
    guard !shown.isEmpty, var message = try source.changes(shown, snapshot) else { return true }
    send(&message, after: told, isSnapshot: false)
    told = seen
    return true
  }

  private func send(_ message: inout Source.Response, after: Int64, isSnapshot: Bool) {
    var span = WatchSpan()
    span.after = after
    span.upto = seen
    span.storeEpoch = feed.store.epoch
    span.isSnapshot = isSnapshot
    span.isIncomplete = nextPart != nil
    message.span = span
    switch replies.send(encoded: message.serializedBytes()) {
    case .room: break
    case .full: isFull = true
    case .over: end(ServerStream.over)
    }
  }
}
