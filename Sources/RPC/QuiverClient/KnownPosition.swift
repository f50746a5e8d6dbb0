package import QuiverRPC
import Synchronization

/// The latest position of the servers' store that a client has seen, which it states in its calls,
/// so that no server answers from an older state. May be used from any thread.
package final class KnownPosition: Sendable {
  // Most servers state none, and calls then take no lock.
  private let isKnown = Atomic<Bool>(false)
  private let state = Mutex<StorePosition?>(nil)

  package init() {}

  /// The position; nil: no server has stated one.
  package var value: StorePosition? {
    isKnown.load(ordering: .acquiring) ? state.withLock { $0 } : nil
  }

  /// A reply stated a position. That of another epoch is of another store, which takes its place.
  func received(_ stated: StorePosition) {
    state.withLock { known in
      if let position = known, position.epoch == stated.epoch,
        position.sequence >= stated.sequence
      {
        return
      }
      known = stated
    }
    isKnown.store(true, ordering: .releasing)
  }

  /// A watch has shown the changes up to a position. It does not count where no server states
  /// positions in replies.
  func watched(_ position: WatchPosition) {
    guard let known = value, known.epoch == position.storeEpoch else { return }
    received(StorePosition(epoch: position.storeEpoch, sequence: position.sequence))
  }

  /// A call has finally failed because the store did not reach the position: it was set back to
  /// this one, for example by restoring a backup.
  func reset(to stated: StorePosition) {
    state.withLock { $0 = stated }
    isKnown.store(true, ordering: .releasing)
  }
}
