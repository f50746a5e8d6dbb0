import QuiverSQLite
import Synchronization

/// Continues the erasure of deleted accounts, one slice a command, until each is complete.
///
/// After a failure, for example on a full disk, it continues with the next commit that changes
/// something. Any thread may start it; the rest runs on the writer's thread.
final class AccountErasures: CommitObserver {
  private struct State: Sendable {
    /// Those with a command in the queue, or whose log is being emptied.
    var running: [Int64: RunningWork] = [:]
    /// Those that failed.
    var waiting: Set<Int64> = []
  }

  private let state = Mutex(State())
  private let store = Mutex<Reference?>(nil)

  private struct Reference: Sendable {
    weak var store: Store?
  }

  /// Continues what the last process left unfinished.
  func start(_ store: Store, unfinished: [Int64]) {
    self.store.withLock { $0 = Reference(store: store) }
    resume(unfinished)
  }

  /// Continues erasures that may have ended early, such as those of another server.
  func resume(_ unfinished: [Int64]) {
    for principal in unfinished { begin(principal) }
  }

  func didAcknowledge(_ effects: CommitEffects, hooks: StoreHooks) {
    for change in effects.changes where change.kind == .principal && change.change == .deleted {
      begin(change.id)
    }
    // The batch of a failed slice changes nothing: another attempt behind it would never end.
    guard !effects.changes.isEmpty else { return }
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for principal in waiting { begin(principal) }
  }

  private func begin(_ principal: Int64) {
    guard let store = store.withLock({ $0?.store }) else { return }
    let isFirst = state.withLock { state in
      guard state.running[principal] == nil else { return false }
      state.running[principal] = store.work.begin(.erasure, of: principal)
      return true
    }
    if isFirst { submit(principal, isLogEmpty: false) }
  }

  private func submit(_ principal: Int64, isLogEmpty: Bool) {
    guard let store = store.withLock({ $0?.store }) else { return }
    let kept = KeptRest()
    store.submit(
      EraseAccount(principal: principal, isLogEmpty: isLogEmpty),
      CommandOptions(caller: CommandCaller(principal: 0)), target: AtOnce(),
      encode: { rest in
        kept.value.withLock { $0 = rest }
        return []
      },
      completion: { [weak self] result in
        switch result {
        case .success: self?.advance(principal, kept.value.withLock { $0 })
        case .failure: self?.wait(principal)
        }
      })
  }

  private func advance(_ principal: Int64, _ rest: EraseAccount.Rest) {
    switch rest {
    case .rows: submit(principal, isLogEmpty: false)
    case .nothing: end(principal)
    case .log:
      guard let store = store.withLock({ $0?.store }) else { return }
      // PostgreSQL removes what its log and its tables have of the rows by itself.
      guard let writer = store.writer else { return submit(principal, isLogEmpty: true) }
      let task = LogTruncation(readers: store.readers) { [weak self] isEmpty in
        if isEmpty { self?.submit(principal, isLogEmpty: true) } else { self?.wait(principal) }
      }
      do throws(StoreError) {
        try writer.queue.append(task)
      } catch {
        wait(principal)
      }
    }
  }

  private func wait(_ principal: Int64) {
    end(principal)
    state.withLock { _ = $0.waiting.insert(principal) }
  }

  /// The listed work is released outside of the lock.
  private func end(_ principal: Int64) {
    _ = state.withLock { $0.running.removeValue(forKey: principal) }
  }
}

/// The reply of a command that is not encoded.
private final class KeptRest: Sendable {
  let value = Mutex(EraseAccount.Rest.rows)
}

/// Runs completions on the thread that delivers them.
private final class AtOnce: CompletionTarget {
  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions { completion() }
  }
}

/// Copies the write-ahead log into the database and truncates it, because its frames contain the
/// erased rows.
///
/// Readers that hold the log are waited for, a few milliseconds between two batches.
// `@unchecked`: only the writer's thread uses it.
private final class LogTruncation: BackgroundTask, @unchecked Sendable {
  private let readers: ReaderPool
  private let completion: @Sendable (_ isEmpty: Bool) -> Void
  private var attempts = 0

  init(readers: ReaderPool, completion: @escaping @Sendable (_ isEmpty: Bool) -> Void) {
    self.readers = readers
    self.completion = completion
  }

  func slice(on connection: Connection) -> Bool {
    attempts += 1
    connection.setBusyTimeout(milliseconds: StoreLimits.checkpointWaitMilliseconds)
    defer { connection.setBusyTimeout(milliseconds: 0) }
    let checkpoint = try? readers.withoutKeptSnapshots { () throws(SQLiteError) in
      try connection.checkpoint(.truncate)
    }
    guard let checkpoint else {
      completion(false)
      return true
    }
    guard checkpoint.wasBusy else {
      completion(true)
      return true
    }
    guard attempts >= StoreLimits.logTruncationAttempts else { return false }
    completion(false)
    return true
  }

  func abandon(_ error: StoreError) { completion(false) }
}
