import QuiverWire

/// How old a server's connection may get, and how long it may be without a call.
struct Lifetime {
  /// 0: as old as it gets.
  var ageMilliseconds = 0
  /// 0: as long as it is.
  var idleMilliseconds = 0

  /// No limits.
  init() {}

  /// The limits, each moved by up to a tenth, so that connections which were made together do not
  /// end together; `jitter` selects how far.
  init(_ limits: Limits, jitter: UInt64) {
    ageMilliseconds = Self.moved(limits.connectionAgeMilliseconds, jitter)
    idleMilliseconds = Self.moved(limits.connectionIdleMilliseconds, jitter / 201)
  }

  /// Limits the time without a call; 0 does not.
  mutating func limitIdle(to milliseconds: Int) {
    guard milliseconds > 0 else { return }
    idleMilliseconds = idleMilliseconds == 0 ? milliseconds : min(idleMilliseconds, milliseconds)
  }

  private static func moved(_ milliseconds: Int, _ jitter: UInt64) -> Int {
    guard milliseconds > 0 else { return 0 }
    return max(1, milliseconds * (900 + Int(truncatingIfNeeded: jitter % 201)) / 1_000)
  }
}

extension ConnectionCore {
  /// Notes at the end of a turn that the connection was in use.
  @inline(__always)
  mutating func noteCalls(now: UInt64) {
    let isBusy = !streams.isEmpty
    guard isBusy || wasBusy || highestStreamID != lastNotedStreamID else { return }
    lastInUse = now
    wasBusy = isBusy
    lastNotedStreamID = highestStreamID
  }

  /// When the connection is to be drained for its age or its idleness; never: `UInt64.max`.
  var retireDue: UInt64 {
    guard drain == .none else { return .max }
    var due = UInt64.max
    if lifetime.ageMilliseconds > 0 { due = ageDue }
    if lifetime.idleMilliseconds > 0, streams.isEmpty {
      due = min(due, lastInUse &+ Self.nanoseconds(lifetime.idleMilliseconds))
    }
    return due
  }

  func retireDue(now: UInt64) -> Bool { now >= retireDue }

  func isAged(now: UInt64) -> Bool { lifetime.ageMilliseconds > 0 && now >= ageDue }

  private var ageDue: UInt64 { startedAt &+ Self.nanoseconds(lifetime.ageMilliseconds) }
}
