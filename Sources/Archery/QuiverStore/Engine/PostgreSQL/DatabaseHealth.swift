import Synchronization

/// Whether the database can be reached and changed, as commands and the journal's reader find it.
///
/// It reports changes to the hooks. What commands find ends without commands too: the reader of
/// the journal reaches the database again, and a full disk is forgotten after
/// `StoreLimits.diskProbeMilliseconds`, until the next command finds it full. Any thread may use
/// it.
final class DatabaseHealth: Sendable {
  private let state: Mutex<State>
  private let monotonicNanoseconds: @Sendable () -> UInt64

  private struct State: Sendable {
    var hooks: StoreHooks
    var obstacle: StoreError?
    /// When it was found, in nanoseconds.
    var foundAt: UInt64 = 0
  }

  init(_ hooks: StoreHooks, monotonicNanoseconds: @escaping @Sendable () -> UInt64) {
    state = Mutex(State(hooks: hooks))
    self.monotonicNanoseconds = monotonicNanoseconds
  }

  /// Why nothing can be stored now; nil if it can.
  var obstacle: StoreError? { state.withLock { $0.obstacle } }

  /// Installs hooks, and tells them at once if nothing can be stored now.
  func install(_ hooks: StoreHooks) {
    let obstacle = state.withLock { state in
      state.hooks = hooks
      return state.obstacle
    }
    if let obstacle { hooks.storingChanged(obstacle) }
  }

  /// A command was stored.
  func noteStored() { note(nil) }

  /// The database was read.
  func noteRead() {
    let now = monotonicNanoseconds()
    let isOver = state.withLock { state in
      guard let obstacle = state.obstacle else { return false }
      return !obstacle.isDiskFull
        || now &- state.foundAt > StoreLimits.diskProbeMilliseconds * 1_000_000
    }
    if isOver { note(nil) }
  }

  /// The database could not be reached or changed.
  func note(failed error: StoreError) { note(error) }

  private func note(_ error: StoreError?) {
    let now = monotonicNanoseconds()
    let hooks = state.withLock { state -> StoreHooks? in
      let isChanged = (state.obstacle == nil) != (error == nil)
      state.obstacle = error
      state.foundAt = now
      return isChanged ? state.hooks : nil
    }
    hooks?.storingChanged(error)
  }
}
