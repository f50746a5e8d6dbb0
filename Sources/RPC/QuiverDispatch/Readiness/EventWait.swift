/// Whether a shard waits for the next event on the thread of its turn.
///
/// A call that comes alone otherwise costs two hand-overs between threads and two changes of the
/// epoll descriptor of Dispatch, which is more than its handler takes. Calls of several callers, or
/// in a row, come together during that time, and one read, one write and one commit serve several
/// of them: they are left to it.
struct EventWait {
  /// How long a turn waits, if the events before were as close to each other.
  static let nanoseconds: UInt64 = 1_000_000
  /// How long a turn that waits keeps other work of the queue from its chance.
  static let longestTurnNanoseconds: UInt64 = 10_000_000
  /// The most bytes that are read of a caller that is alone: a small call, or its reply.
  private static let aloneBytes = 192
  /// For how long calls that came together say that others will.
  private static let crowdedNanoseconds: UInt64 = 100_000_000

  private var lastEvents: UInt64 = 0
  private var crowdedUntil: UInt64 = 0
  private var isClose = false

  /// A turn begins with events.
  mutating func begin(at now: UInt64) {
    isClose = now &- lastEvents < Self.nanoseconds
    lastEvents = now
  }

  /// The turn has waited for further events.
  mutating func goOn(at now: UInt64) { lastEvents = now }

  /// Several sockets were ready at once.
  mutating func foundSeveral(at now: UInt64) { crowdedUntil = now &+ Self.crowdedNanoseconds }

  /// So much was read of a socket.
  mutating func read(_ byteCount: Int, at now: UInt64) {
    if byteCount > Self.aloneBytes { foundSeveral(at: now) }
  }

  /// Whether a caller is alone.
  func isWanted(at now: UInt64) -> Bool { isClose && now >= crowdedUntil }
}
