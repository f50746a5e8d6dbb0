package import QuiverWire
import Synchronization

/// Who a share of the server's resources belongs to.
package enum ShareKey: Hashable, Sendable {
  /// The principal whose token the connection came with.
  case principal(Int64)
  /// The address of an anonymous caller; of IPv6 its first 64 bits.
  case address(String)
}

/// The bytes that the connections of one principal, or of one anonymous address, hold in memory.
///
/// May be used from any thread. A share lives as long as a connection refers to it.
package final class MemoryShare: Sendable {
  package let key: ShareKey
  package let budget: ByteBudget
  private let held = Atomic<Int>(0)

  fileprivate init(_ key: ShareKey, _ budget: ByteBudget) {
    self.key = key
    self.budget = budget
  }

  deinit { budget.removeShare(key) }

  /// What its connections hold, as far as it was reported.
  package var heldBytes: Int { held.load(ordering: .relaxed) }

  func add(_ byteCount: Int) {
    held.wrappingAdd(byteCount, ordering: .relaxed)
    budget.add(byteCount)
  }

  /// Moves what a connection holds to another share, whose budget is the same.
  func move(_ byteCount: Int, to other: MemoryShare) {
    held.wrappingAdd(-byteCount, ordering: .relaxed)
    other.held.wrappingAdd(byteCount, ordering: .relaxed)
  }

  /// Whether `byteCount` more may be kept for the share.
  func hasRoom(for byteCount: Int) -> Bool {
    let held = heldBytes &+ byteCount
    return held <= budget.shareLimit && budget.hasRoom(for: byteCount, isSmallShare: isSmall(held))
  }

  /// How near the process and the share are to their limits, as it concerns this share.
  var pressure: ByteBudget.Pressure {
    let held = heldBytes
    if held >= budget.fullShare { return .refuses }
    return isSmall(held) ? budget.pressureForSmallShares : budget.pressure
  }

  /// Whether the share holds so little that a process short of memory spares it.
  private func isSmall(_ held: Int) -> Bool { held <= budget.smallShare }
}

/// What all connections of a process hold in memory for their peers: output that waits, messages
/// and frames in parts, messages that no handler has taken.
///
/// May be used from any thread. Connections report changes of ``grain`` bytes and more at the end
/// of a turn, and what they queue when they queue it, so that calls that pass through in one turn
/// cost nothing here.
package final class ByteBudget: Sendable {
  private let held = Atomic<Int>(0)
  private let limit: Int
  let shareLimit: Int
  /// A share that holds so much may make no more calls: most replies would find no room.
  var fullShare: Int { shareLimit - shareLimit / Limits.fullShareDivisor }
  /// What a share may hold and be spared while the process is short of memory.
  var smallShare: Int { limit / Limits.smallShareDivisor }
  private let shares = Mutex<[ShareKey: Entry]>([:])
  private let isReclaiming = Atomic<Bool>(false)
  private let reclaimer = Mutex<(@Sendable (ShareKey) -> Void)?>(nil)
  /// The most that was held since memory was last returned to the system.
  private let peak = Atomic<Int>(0)
  private let releaser = Mutex<(@Sendable () -> Void)?>(nil)

  private struct Entry {
    weak var share: MemoryShare?
  }

  /// How near its limit the process is.
  package enum Pressure: UInt8, Comparable, Sendable {
    case none
    /// New calls are refused.
    case refuses
    /// A received frame that would have to be kept ends its call.
    case sheds

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// Smaller changes of a connection are not reported, unless it comes to hold nothing.
  static let grain = 4 * 1024
  /// How far what is held must fall below its peak before freed memory is returned.
  static let releasedBytes = 32 * 1024 * 1024

  package init(limits: Limits) {
    limit = limits.processBytes
    shareLimit = limits.shareBytes
  }

  /// The share of `key`, which is made where no connection refers to one.
  package func share(for key: ShareKey) -> MemoryShare {
    shares.withLock { shares in
      if let share = shares[key]?.share { return share }
      let share = MemoryShare(key, self)
      shares[key] = Entry(share: share)
      return share
    }
  }

  fileprivate func removeShare(_ key: ShareKey) {
    shares.withLock { shares in
      // A new share of the key may have been made meanwhile.
      if shares[key]?.share == nil { shares[key] = nil }
    }
  }

  /// How many shares have a connection.
  package var shareCount: Int { shares.withLock { $0.count } }

  /// What is held now, as far as it is reported.
  package var heldBytes: Int { held.load(ordering: .relaxed) }

  package var pressure: Pressure {
    let held = heldBytes
    if held < limit / 100 &* Limits.refusingPercent { return .none }
    return held < limit / 100 &* Limits.sheddingPercent ? .refuses : .sheds
  }

  /// The same for a share that holds little: it is refused only when nothing is left.
  fileprivate var pressureForSmallShares: Pressure { heldBytes < limit ? .none : .sheds }

  fileprivate func hasRoom(for byteCount: Int, isSmallShare: Bool) -> Bool {
    let held = heldBytes &+ byteCount
    guard held > (isSmallShare ? limit : limit / 100 &* Limits.sheddingPercent) else { return true }
    reclaim()
    return false
  }

  /// Sets what closes a connection of the share that holds most. It is called from any thread when
  /// 95 % of the process's bytes are held, and must call ``reclaimed()`` once.
  package func onCritical(_ action: @escaping @Sendable (ShareKey) -> Void) {
    reclaimer.withLock { $0 = action }
  }

  /// Sets what returns freed memory to the system. It is called from any thread when much less is
  /// held than before.
  package func onRelease(_ action: @escaping @Sendable () -> Void) {
    releaser.withLock { $0 = action }
  }

  /// Says that the connection asked for by ``onCritical(_:)`` was closed, or that there was none.
  package func reclaimed() { isReclaiming.store(false, ordering: .sequentiallyConsistent) }

  fileprivate func add(_ byteCount: Int) {
    let held = held.wrappingAdd(byteCount, ordering: .relaxed).newValue
    if byteCount > 0 {
      if held > peak.load(ordering: .relaxed) { peak.store(held, ordering: .relaxed) }
      if held >= limit / 100 &* Limits.sheddingPercent { reclaim() }
    } else if held &+ Self.releasedBytes < peak.load(ordering: .relaxed) {
      release(held)
    }
  }

  private func reclaim() {
    guard let action = reclaimer.withLock({ $0 }),
      !isReclaiming.exchange(true, ordering: .sequentiallyConsistent)
    else { return }
    // Strong references end outside of the lock, which the end of a share takes.
    let all = shares.withLock { $0.values.compactMap(\.share) }
    guard let largest = all.max(by: { $0.heldBytes < $1.heldBytes }) else { return reclaimed() }
    action(largest.key)
  }

  private func release(_ held: Int) {
    guard let action = releaser.withLock({ $0 }) else { return }
    peak.store(held, ordering: .relaxed)
    action()
  }
}
