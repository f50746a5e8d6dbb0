import QuiverSQLite
import Synchronization

/// The look at every page of a large database while it is already served.
///
/// It runs on a thread and a read-only connection of its own, a table at a time, so that no
/// snapshot is held for longer than one table takes.
final class StartCheck: Sendable {
  private let path: String
  private let fileSystem: String?
  private let state = Monitor(State())

  // `@unchecked`: the connection is another thread's only to be interrupted, under the lock.
  private struct State: @unchecked Sendable {
    var connection: Connection?
    var isStopping = false
    var hasEnded = false
    var outcome: StoreError??
    var hook: @Sendable (StoreError?) -> Void = { _ in }
  }

  init(path: String, _ configuration: StoreConfiguration) {
    self.path = path
    fileSystem = configuration.fileSystem
    state.withLock { $0.hook = configuration.hooks.checked }
  }

  func start() throws(StoreError) {
    do throws(StoreError) {
      try OwnThread.start { self.run() }
    } catch {
      state.withLock { $0.hasEnded = true }
      throw error
    }
  }

  /// Tells `hook` when the check ends, or at once where it has ended.
  func install(_ hook: @escaping @Sendable (StoreError?) -> Void) {
    let outcome = state.withLock { state in
      state.hook = hook
      return state.outcome
    }
    if let outcome { hook(outcome) }
  }

  /// Ends the check wherever it is, and returns when its connection is closed.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      state.connection?.interrupt()
    }
    _ = state.wait { $0.hasEnded ? true : nil }
  }

  private func run() {
    let outcome = check()
    let hook = state.withLock { state in
      state.connection = nil
      state.hasEnded = true
      guard !state.isStopping else { return nil as (@Sendable (StoreError?) -> Void)? }
      state.outcome = .some(outcome)
      return state.hook
    }
    state.broadcast()
    hook?(outcome)
  }

  private func check() -> StoreError? {
    do {
      let connection = try Connection(path: path, mode: .readOnly, fileSystem: fileSystem)
      try connection.execute("PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
      state.withLock { $0.connection = connection }
      let session = Session(connection)
      for table in try session.tableNames() {
        if state.withLock({ $0.isStopping }) { return nil }
        if let finding = try session.pageFindings(table: table).first {
          return Database.damage(path, finding)
        }
      }
      return nil
    } catch let error as StoreError {
      return error.code == .dataLoss ? Database.damage(path, error.message) : error
    } catch {
      return StoreError(.internalError, "\(path) could not be checked: \(error)")
    }
  }
}
