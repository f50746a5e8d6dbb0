import QuiverStore
import Synchronization

/// Runs the reads of watches on threads for reads, in the turns of their principals.
///
/// Each principal has as many of them in the ``ReadScheduler`` as it may have running. The others
/// wait here, at most one for each open watch, so that a principal with many watches delays only
/// its own. While more than a few of its reads wait, they run on threads of low priority, so that
/// they do not delay event loops on a busy machine. Any thread may use it.
final class WatchReads: Sendable {
  /// Reads if its argument is nil; otherwise it must not read, and the argument is the reason.
  typealias Body = @Sendable (StoreError?) -> Void

  private let reads: ReadScheduler
  private let crowded: ReadScheduler
  private let owners = Mutex<[ReadScheduler.Owner: Waiting]>([:])

  /// The reads of one principal; those before `head` were taken.
  private struct Waiting {
    var bodies: [Body] = []
    var head = 0
    var running = 0

    var waiting: ArraySlice<Body> { bodies[head...] }

    mutating func take() -> Body? {
      guard head < bodies.count else { return nil }
      defer {
        head += 1
        if head > bodies.count / 2 {
          bodies.removeFirst(head)
          head = 0
        }
      }
      return bodies[head]
    }
  }

  convenience init(_ store: Store) { self.init(store.reads, crowded: store.crowdedReads) }

  /// - Parameter crowded: runs the reads of a principal of which many wait.
  init(_ reads: ReadScheduler, crowded: ReadScheduler) {
    self.reads = reads
    self.crowded = crowded
  }

  /// Runs `body` once, on a thread for reads.
  func submit(of owner: ReadScheduler.Owner, _ body: @escaping Body) {
    let starts = owners.withLock { owners in
      owners[owner, default: Waiting()].bodies.append(body)
      let starts = owners[owner, default: Waiting()].running < StoreLimits.readThreadsPerOwner
      if starts { owners[owner, default: Waiting()].running += 1 }
      return starts
    }
    if starts { start(owner) }
  }

  private func start(_ owner: ReadScheduler.Owner) {
    let isCrowded = owners.withLock {
      $0[owner]?.waiting.count ?? 0 > StoreLimits.promptWatchReads
    }
    let scheduler = isCrowded ? crowded : reads
    let refusal = scheduler.submit(of: owner, CommandCancellation()) { refusal in
      self.runNext(of: owner, refusal)
    }
    guard let refusal else { return }
    guard refusal.code == .resourceExhausted else {
      // The store is closing.
      let waiting = owners.withLock { $0.removeValue(forKey: owner)?.waiting ?? [] }
      for body in waiting { body(refusal) }
      return
    }
    Task {
      try? await Task.sleep(for: .milliseconds(StoreLimits.queueRetryMilliseconds))
      self.start(owner)
    }
  }

  private func runNext(of owner: ReadScheduler.Owner, _ refusal: StoreError?) {
    owners.withLock { $0[owner]?.take() }?(refusal)
    let hasMore = owners.withLock { owners in
      guard let waiting = owners[owner] else { return false }
      guard waiting.head == waiting.bodies.count else { return true }
      owners[owner]?.running -= 1
      if waiting.running == 1 { owners[owner] = nil }
      return false
    }
    if hasMore { start(owner) }
  }
}
