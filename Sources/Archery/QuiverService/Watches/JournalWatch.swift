import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire

/// An open watch that follows the journal: a snapshot, then changes, as fast as its client takes
/// them.
///
/// It keeps no queue of changes but its position in the journal. A client that reads slowly gets
/// the changes of a longer time in one message. Lives on its call's reactor.
// Sendable because it is touched on its reactor alone, once it has been started there.
final class JournalWatch<Source: WatchSource>: @unchecked Sendable {
  private let source: Source
  private let store: Store
  private let subscription: Subscription<Source.Response>
  /// Everything up to here was sent, or does not show.
  private var seen: Int64
  /// What the last message covered up to.
  private var lastSent: Int64
  /// The next part of the snapshot; nil: all of it was sent.
  private var nextPart: String?
  private var isPumpQueued = false

  private init(
    _ source: Source, _ store: Store, _ subscription: Subscription<Source.Response>
  ) {
    self.source = source
    self.store = store
    self.subscription = subscription
    seen = subscription.after ?? 0
    lastSent = seen
    nextPart = subscription.after == nil ? "" : nil
    if nextPart == nil { subscription.sendOneStateAhead() }
  }

  /// Starts a watch for a call, on its reactor. Throws where it is not admitted.
  static func start(
    _ source: Source, _ admission: WatchAdmission, _ call: CallContext,
    _ replies: StreamResponder<Source.Response>
  ) throws(RPCError) {
    let subscription = try admission.open(call, replies)
    let feed = admission.feed
    let watch = JournalWatch(source, feed.store, subscription)
    // Listening begins before the first read, so that no commit falls between them.
    let listener = feed.listen(to: source.key) { _ in
      watch.subscription.reactor.run { watch.pump() }
    }
    subscription.onEnd { feed.stop(listener) }
    subscription.onRoom { watch.pump() }
    watch.pump()
  }

  /// Sends what there is to send, until the client has enough or the turn has had its share.
  private func pump() {
    guard !subscription.isOver, subscription.hasRoom else { return }
    do throws(StoreError) {
      for _ in 0..<Self.stepsPerTurn {
        guard try step(), !subscription.isOver, subscription.hasRoom else { return }
      }
    } catch {
      return subscription.end(RPCError(error))
    }
    guard !isPumpQueued else { return }
    isPumpQueued = true
    subscription.reactor.run { [self] in
      isPumpQueued = false
      pump()
    }
  }

  /// Parts and spans that one turn of the reactor sends.
  private static var stepsPerTurn: Int { 4 }

  /// Sends one part of the snapshot, or of the journal. Returns false if there is nothing more.
  private func step() throws(StoreError) -> Bool {
    if let part = nextPart {
      try store.read { (snapshot) throws(StoreError) in try self.sendPart(part, snapshot) }
      return true
    }
    return try store.read { (snapshot) throws(StoreError) in try self.sendChanges(snapshot) }
  }

  private func sendPart(_ token: String, _ snapshot: borrowing Snapshot) throws(StoreError) {
    // What changes while later parts are read follows them as a change.
    if token.isEmpty {
      seen = try snapshot.lastSequence()
      lastSent = seen
    }
    var (message, next) = try source.part(token, snapshot)
    nextPart = next.isEmpty ? nil : next
    // The parts of a snapshot are one state: they are limited by credit alone.
    if nextPart == nil { subscription.sendOneStateAhead() }
    send(&message, after: 0, isSnapshot: true)
  }

  private func sendChanges(_ snapshot: borrowing Snapshot) throws(StoreError) -> Bool {
    let last = try snapshot.lastSequence()
    guard seen <= last else {
      throw StoreError(
        .outOfRange, "after_sequence: this store has not come so far; watch from a snapshot")
    }
    guard seen < last else { return false }
    guard try seen + 1 >= snapshot.firstSequence() else {
      throw StoreError(.outOfRange, RPCError.historyGone.message)
    }
    let entries = try snapshot.journal(after: seen, limit: StoreLimits.watchedEntries)
    seen = entries.last?.sequence ?? last
    let shown = entries.filter(source.concerns)
    guard !shown.isEmpty, var message = try source.changes(shown, snapshot) else { return true }
    send(&message, after: lastSent, isSnapshot: false)
    lastSent = seen
    return true
  }

  private func send(_ message: inout Source.Response, after: Int64, isSnapshot: Bool) {
    var span = WatchSpan()
    span.after = after
    span.upto = seen
    span.storeEpoch = store.epoch
    span.isSnapshot = isSnapshot
    span.isIncomplete = nextPart != nil
    message.span = span
    subscription.send(encoded: message.serializedBytes())
  }
}
