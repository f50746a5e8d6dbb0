package import QuiverWire
import Synchronization

/// What all connections of a process hold in memory for their peers: output that waits, messages
/// and frames in parts, messages that no handler has taken.
///
/// Connections report changes of ``grain`` bytes and more, at the end of a turn, so that calls
/// which pass through in one turn cost nothing here.
package final class ByteBudget: Sendable {
  private let held = Atomic<Int>(0)
  private let limit: Int

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
  static let grain = 16 * 1024

  package init(limits: Limits) { limit = limits.processBytes }

  /// What is held now, as far as it is reported.
  package var heldBytes: Int { held.load(ordering: .relaxed) }

  package var pressure: Pressure {
    let held = held.load(ordering: .relaxed)
    if held < limit / 100 &* Limits.refusingPercent { return .none }
    return held < limit / 100 &* Limits.sheddingPercent ? .refuses : .sheds
  }

  func add(_ byteCount: Int) { held.wrappingAdd(byteCount, ordering: .relaxed) }
}

extension ConnectionCore {
  /// What the connection holds for its peer.
  private var memoryBytes: Int {
    let held = egress.output.count &+ queuedMessageBytes &+ heldInputBytes
    // Most turns end with no frame begun, and are not to pay for it.
    return frameStartedAt == 0 ? held : held &+ deframer.keptByteCount
  }

  /// What has come in and is kept: messages in parts, and those that nobody has taken.
  var heldInputBytes: Int { reassemblyBytes &+ untakenBytes }

  /// Tells the process's budget what has changed; at the end of a turn.
  @inline(__always)
  mutating func reportHeld() {
    guard phase < .closed else { return }
    let held = memoryBytes
    let change = held &- reportedBytes
    guard change.magnitude >= ByteBudget.grain.magnitude || (held == 0 && change != 0) else {
      return
    }
    reportedBytes = held
    budget?.add(change)
  }

  /// The connection is gone, and what it held with it.
  mutating func releaseReportedBytes() {
    budget?.add(-reportedBytes)
    reportedBytes = 0
  }

  /// Looks how near its limit the process is; at the start of a turn.
  @inline(__always)
  package mutating func notePressure() {
    if let budget { pressure = budget.pressure }
  }

  /// Throws the status of a call whose received bytes find no room: `byteCount` more are to be
  /// kept.
  func checkRoom(for byteCount: Int) throws(RPCError) {
    guard heldInputBytes + byteCount <= limits.heldInputBytes else {
      throw RPCError(
        .resourceExhausted, "too many messages wait to be taken on this connection",
        isNotProcessed: true)
    }
    guard pressure < .sheds else {
      throw RPCError(
        .resourceExhausted, "the server is short of memory", isNotProcessed: true)
    }
  }
}
