import QuiverAPI
import QuiverMetrics
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// An open watch that follows the journal: a snapshot, then changes, as fast as its client takes
/// them.
///
/// It keeps its position in the journal instead of a queue of changes. A client that reads slowly
/// receives the changes of a longer time in one message. It lives on its call's reactor, and reads
/// on threads for reads (``SharedReads``), one read at a time.
// Sendable because it is touched on its reactor alone, once it has been started there. Reads use
// what is constant.
final class JournalWatch<Source: WatchSource>: @unchecked Sendable {
  private let source: Source
  private let store: Store
  private let identity: WatchIdentity
  private let reads: SharedReads
  private let owner: ReadScheduler.Owner
  private let subscription: Subscription<Source.Response>
  private var place: WatchPlace
  private var isReading = false
  /// Whether something may have changed after the running read began.
  private var isStale = false
  /// Whether a commit was noted after the latest read began.
  private let isNotified = Atomic<Bool>(false)
  /// When the first commit was noted that no read has begun after, in nanoseconds; 0: none was.
  private let notedAt = Atomic<UInt64>(0)
  /// The same of the running read.
  private var readsSince: UInt64 = 0
  private let delays: Histogram

  private init(
    _ source: Source, _ admission: WatchAdmission, _ owner: ReadScheduler.Owner,
    _ subscription: Subscription<Source.Response>
  ) {
    self.source = source
    identity = WatchIdentity(source)
    store = admission.feed.store
    delays = admission.feed.delays
    reads = admission.reads
    self.owner = owner
    self.subscription = subscription
    let seen = subscription.after ?? 0
    place = WatchPlace(
      seen: seen, lastSent: seen, nextPart: subscription.after == nil ? "" : nil)
    if place.nextPart == nil { subscription.sendOneStateAhead() }
  }

  /// Starts a watch for a call, on its reactor. Throws where it is not admitted.
  static func start(
    _ source: Source, _ admission: WatchAdmission, _ call: CallContext,
    _ replies: StreamResponder<Source.Response>
  ) throws(RPCError) {
    let subscription = try admission.open(call, replies)
    let watch = JournalWatch(source, admission, call.sharedOwner, subscription)
    let feed = admission.feed
    // Listening begins before the first read, so that no commit falls between them.
    let listener = feed.listen(to: source.key) { watch.notify() }
    subscription.onEnd { feed.stop(listener) }
    subscription.onRoom { watch.pump() }
    watch.pump()
  }

  /// Notes a commit, on any thread: at most one job for the reactor until the next read begins.
  private func notify() {
    guard !isNotified.exchange(true, ordering: .sequentiallyConsistent) else { return }
    _ = notedAt.compareExchange(
      expected: 0, desired: subscription.reactor.exactNanoseconds, ordering: .relaxed)
    subscription.reactor.runInBackground { self.pump() }
  }

  /// Begins a read, unless one runs or the client has enough.
  private func pump() {
    guard !subscription.isOver, subscription.hasRoom else { return }
    guard !isReading else {
      isStale = true
      return
    }
    isReading = true
    isStale = false
    isNotified.store(false, ordering: .sequentiallyConsistent)
    readsSince = notedAt.exchange(0, ordering: .relaxed)
    let place = place
    reads.submit(
      SharedReads.Key(owner: owner, source: identity, place: place), on: subscription.reactor,
      { [self] () throws(StoreError) in try read(from: place) },
      { [self] in finish($0) })
  }

  /// Sends what a read found.
  private func finish(_ result: SharedReads.Outcome) {
    isReading = false
    guard !subscription.isOver else { return }
    switch result {
    case .failure(let error): subscription.end(RPCError(error))
    case .success(let reading):
      // The parts of a snapshot are one state: they are limited by credit alone.
      let completesSnapshot = place.nextPart != nil && reading.place.nextPart == nil
      place = reading.place
      if completesSnapshot { subscription.sendOneStateAhead() }
      if let bytes = reading.bytes { subscription.send(encoded: bytes) }
      if readsSince != 0 {
        delays.observe(subscription.reactor.exactNanoseconds &- readsSince)
        readsSince = 0
      }
      if reading.hasMore || isStale { pump() }
    }
  }

  /// Reads one part of the snapshot, or of the journal, on any thread.
  private func read(from place: WatchPlace) throws(StoreError) -> WatchReading {
    try store.read { (snapshot) throws(StoreError) in
      if let part = place.nextPart { return try self.part(part, place, snapshot) }
      return try self.changes(after: place, snapshot)
    }
  }

  private func part(
    _ token: String, _ place: WatchPlace, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchReading {
    var place = place
    // What changes while later parts are read follows them as a change.
    if token.isEmpty {
      place.seen = try snapshot.lastSequence()
      place.lastSent = place.seen
    }
    var (message, next) = try source.part(token, snapshot)
    place.nextPart = next.isEmpty ? nil : next
    let bytes = encode(&message, after: 0, place, isSnapshot: true)
    return WatchReading(place: place, bytes: bytes, hasMore: true)
  }

  private func changes(
    after place: WatchPlace, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchReading {
    var place = place
    let last = try snapshot.lastSequence()
    guard place.seen <= last else {
      throw StoreError(
        .outOfRange, "after_sequence: is above the last commit; watch from a snapshot")
    }
    guard place.seen < last else { return WatchReading(place: place, bytes: nil, hasMore: false) }
    guard try place.seen + 1 >= snapshot.firstSequence() else {
      throw StoreError(.outOfRange, RPCError.historyGone.message)
    }
    let entries = try snapshot.journal(after: place.seen, limit: StoreLimits.watchedEntries)
    try source.checkAccess(after: entries, snapshot)
    // Sequences may have gaps: behind the last entry there is nothing up to `last`.
    let isCut = entries.count == Int(StoreLimits.watchedEntries)
    place.seen = isCut ? entries.last?.sequence ?? last : last
    let hasMore = place.seen < last
    let shown = entries.filter(source.concerns)
    guard !shown.isEmpty, var message = try source.changes(shown, snapshot) else {
      return WatchReading(place: place, bytes: nil, hasMore: hasMore)
    }
    let bytes = encode(&message, after: place.lastSent, place, isSnapshot: false)
    place.lastSent = place.seen
    return WatchReading(place: place, bytes: bytes, hasMore: hasMore)
  }

  private func encode(
    _ message: inout Source.Response, after: Int64, _ place: WatchPlace, isSnapshot: Bool
  ) -> [UInt8] {
    var span = WatchSpan()
    span.after = after
    span.upto = place.seen
    span.storeEpoch = store.epoch
    span.isSnapshot = isSnapshot
    span.isIncomplete = place.nextPart != nil
    message.span = span
    return message.serializedBytes()
  }
}
