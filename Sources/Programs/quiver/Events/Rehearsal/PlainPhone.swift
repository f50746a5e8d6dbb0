import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a rehearsal cannot continue, as a sentence.
struct RehearsalError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Makes UUIDv7 (RFC 9562) from the clock and a random generator.
struct ClientIDs: Sendable {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next() -> [UInt8] {
    let milliseconds = UInt64(max(0, Date().timeIntervalSince1970 * 1_000))
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    for index in 0..<6 {
      bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * index))
    }
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}

/// An archer on a target, as a device sees it.
struct TargetArcher: Sendable {
  /// The index in the plan.
  let index: Int
  let participant: Int64
  let ends: [[RehearsalPlan.Arrow]]
  let shotEndCount: Int
  /// The ends that are shot on this target.
  let range: Range<Int>
  /// Whether the last end is kept on the device until the event was finalised.
  let isLate: Bool
  /// The slot that is recorded with another value, which the organiser corrects later; nil: none.
  let wrong: ArrowSlot?

  /// The arrow as devices record it.
  func recorded(at slot: ArrowSlot) -> RehearsalPlan.Arrow {
    let arrow = ends[slot.endIndex][slot.arrowIndex]
    return wrong == slot ? PlainPhone.other(than: arrow) : arrow
  }
}

/// A device that scores a target without a session: it queues operations while the network is away,
/// and sends them in any order.
struct PlainPhone {
  private let way: FaultyTransport
  private let device: String
  private let shuffles: Bool
  private var ids: ClientIDs
  private var random: SplitMix64
  private(set) var queue: [ScoringOperation] = []

  private static let attempts = 400
  private static let reason = "read wrongly"

  init(_ way: FaultyTransport, device: String, seed: UInt64, shuffles: Bool) {
    self.way = way
    self.device = device
    self.shuffles = shuffles
    ids = ClientIDs(seed: seed &+ 1)
    random = SplitMix64(seed: seed)
  }

  /// Scores all ends of the archers of a target, and leaves only late ends in the queue.
  mutating func score(_ archers: [TargetArcher]) async throws {
    try await score(archers, archers.first?.range ?? 0..<0)
  }

  /// The same of some ends.
  mutating func score(_ archers: [TargetArcher], _ ends: Range<Int>) async throws {
    var late: [ScoringOperation] = []
    for end in ends {
      for archer in archers where end < archer.shotEndCount {
        let isLate = archer.isLate && end == archer.shotEndCount - 1
        let operations = operations(end, of: archer)
        if isLate { late += operations } else { queue += operations }
      }
      // The network is away for some ends.
      if !shuffles || Int.random(in: 0..<3, using: &random) == 0 { try await send() }
    }
    try await send()
    queue = late
  }

  /// Sends everything; operations that wait for others are sent again.
  mutating func send() async throws {
    var failures = 0
    while !queue.isEmpty {
      if shuffles { queue.shuffle(using: &random) }
      let batch = Array(queue.prefix(Int.random(in: 1...60, using: &random)))
      do {
        let reply = try await way.call(
          Tournament.applyOperations, ApplyOperationsRequest.with { $0.operations = batch })
        try take(reply.verdicts, of: batch)
      } catch let error as RPCError where error.code == .unavailable || error.code == .cancelled {
        failures += 1
        guard failures < Self.attempts else { throw error }
        try await Task.sleep(for: .milliseconds(min(20, failures)))
      }
    }
  }

  /// Adds operations to the queue.
  mutating func enqueue(_ operations: [ScoringOperation]) { queue += operations }

  /// An operation on a slot.
  mutating func operation(
    _ kind: OperationKind, _ arrow: RehearsalPlan.Arrow?, at slot: ArrowSlot,
    of participant: Int64, replacing replaced: [UInt8] = []
  ) -> ScoringOperation {
    var operation = ScoringOperation()
    operation.clientID = ids.next()
    operation.kind = kind
    operation.participantID = participant
    operation.endIndex = UInt32(slot.endIndex)
    operation.arrowIndex = UInt32(slot.arrowIndex)
    if let arrow {
      operation.value = UInt32(arrow.value)
      operation.isX = arrow.isX
    }
    operation.device = device
    operation.replacesClientID = replaced
    if kind != .record { operation.reason = Self.reason }
    return operation
  }

  /// The operations that leave the arrows of an end: some are corrected, or retracted first.
  mutating func operations(_ end: Int, of archer: TargetArcher) -> [ScoringOperation] {
    var all: [ScoringOperation] = []
    for (index, arrow) in archer.ends[end].enumerated() {
      all += operations(arrow, at: ArrowSlot(endIndex: end, arrowIndex: index), of: archer)
    }
    return all
  }

  /// A record of each arrow of an end.
  mutating func records(_ end: Int, of archer: TargetArcher) -> [ScoringOperation] {
    archer.ends[end].indices.map { index in
      let slot = ArrowSlot(endIndex: end, arrowIndex: index)
      return operation(.record, archer.recorded(at: slot), at: slot, of: archer.participant)
    }
  }

  /// The operations that leave an arrow in a slot: some are corrected, or retracted first.
  private mutating func operations(
    _ arrow: RehearsalPlan.Arrow, at slot: ArrowSlot, of archer: TargetArcher
  ) -> [ScoringOperation] {
    let other = Self.other(than: arrow)
    if archer.wrong == slot {
      return [operation(.record, other, at: slot, of: archer.participant)]
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0, 1:
      let first = operation(.record, other, at: slot, of: archer.participant)
      return [
        first,
        operation(
          .correct, arrow, at: slot, of: archer.participant, replacing: first.clientID),
      ]
    case 2:
      let first = operation(.record, other, at: slot, of: archer.participant)
      let second = operation(
        .retract, nil, at: slot, of: archer.participant, replacing: first.clientID)
      return [
        first, second,
        operation(
          .correct, arrow, at: slot, of: archer.participant, replacing: second.clientID),
      ]
    default: return [operation(.record, arrow, at: slot, of: archer.participant)]
    }
  }

  /// A value of every face that another arrow can have.
  static func other(than arrow: RehearsalPlan.Arrow) -> RehearsalPlan.Arrow {
    RehearsalPlan.Arrow(value: arrow.value == 8 ? 7 : 8)
  }

  private mutating func take(
    _ verdicts: [OperationVerdict], of batch: [ScoringOperation]
  ) throws {
    guard verdicts.count == batch.count else {
      throw RehearsalError("\(batch.count) operations had \(verdicts.count) verdicts")
    }
    var done: Set<[UInt8]> = []
    for (verdict, operation) in zip(verdicts, batch) {
      switch verdict.verdict {
      case .stored, .same, .late: done.insert(operation.clientID)
      case .notYet: break
      default:
        throw RehearsalError(
          "\(device): an operation on end \(operation.endIndex) of participant"
            + " \(operation.participantID) was refused: \(verdict.message)")
      }
    }
    queue.removeAll { done.contains($0.clientID) }
  }
}
