import QuiverRPC
import QuiverStore
import Synchronization

/// The reads of watches: those of the same thing at the same position are one read, whose result
/// all of these watches send.
///
/// A watch joins a read that waits for its thread. A read that runs may have missed the commit that
/// woke the watch, which begins another one then. Any thread may use it.
final class SharedReads: Sendable {
  /// What is read; reads with equal keys have equal results.
  struct Key: Hashable, Sendable {
    let owner: ReadScheduler.Owner
    let source: WatchIdentity
    let place: WatchPlace
  }

  typealias Outcome = Result<WatchReading, StoreError>
  typealias Body = @Sendable () throws(StoreError) -> WatchReading

  private struct Waiter: Sendable {
    let reactor: any Reactor
    let receive: @Sendable (Outcome) -> Void
  }

  private let reads: WatchReads
  private let waiting = Mutex<[Key: [Waiter]]>([:])

  /// Watches that one job of a reactor hands a result to.
  private static let watchesPerJob = 32

  init(_ reads: WatchReads) { self.reads = reads }

  /// Runs `body` on a thread for reads, unless an equal read waits, and hands the result to
  /// `receive` on the reactor.
  func submit(
    _ key: Key, on reactor: any Reactor, _ body: @escaping Body,
    _ receive: @escaping @Sendable (Outcome) -> Void
  ) {
    let waiter = Waiter(reactor: reactor, receive: receive)
    let isFirst = waiting.withLock { waiting in
      let isFirst = waiting[key] == nil
      waiting[key, default: []].append(waiter)
      return isFirst
    }
    guard isFirst else { return }
    reads.submit(of: key.owner) { [self] refusal in
      let waiters = waiting.withLock { $0.removeValue(forKey: key) } ?? []
      let outcome = Result { () throws(StoreError) in
        if let refusal { throw refusal }
        return try body()
      }
      Self.deliver(outcome, to: waiters)
    }
  }

  /// Watches that came together are mostly of one connection, whose output is written once for a
  /// job.
  private static func deliver(_ outcome: Outcome, to waiters: [Waiter]) {
    var start = 0
    while start < waiters.count {
      let reactor = waiters[start].reactor
      let rest = waiters[start...].prefix(watchesPerJob)
      let group = rest.prefix { $0.reactor === reactor }
      start += group.count
      reactor.runInBackground { for waiter in group { waiter.receive(outcome) } }
    }
  }
}

/// What a watch shows, as a key of dictionaries.
// Sendable because it is made of a WatchSource, which is.
struct WatchIdentity: Hashable, @unchecked Sendable {
  private let source: AnyHashable

  init(_ source: some WatchSource) { self.source = AnyHashable(source) }
}

/// What the client of a watch has.
struct WatchPlace: Hashable, Sendable {
  /// Everything up to here was sent, or does not show.
  var seen: Int64
  /// What the last message covered up to.
  var lastSent: Int64
  /// The next part of the snapshot; nil: all of it was sent.
  var nextPart: String?
}

/// What a read of a watch found.
struct WatchReading: Sendable {
  var place: WatchPlace
  /// The encoded message; nil if there is nothing to send.
  var bytes: [UInt8]?
  /// Whether there may be more.
  var hasMore: Bool
}
