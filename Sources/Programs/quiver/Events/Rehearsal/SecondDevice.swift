import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// A device without a session that keeps the second cards of a target, and can lose its lease.
struct SecondDevice {
  private var way: FaultyTransport
  private let office: FaultyTransport
  private let log: RehearsalLog
  private let findings: Findings
  private var device: String
  private let code: String
  /// A phone without an account that keeps the cards, and its plate; nil: a member of the staff
  /// does.
  private var phone: (device: LineDevice, plate: LineDevice.Plate)?
  private let shuffles: Bool
  private var ids: ClientIDs
  private var random: SplitMix64
  private var queue: [CardOperation] = []

  private static let attempts = 400

  /// What becomes of its lease.
  enum Trouble: Int, Sendable, CaseIterable {
    case none
    /// The organiser ends it; the device joins again.
    case ended
    /// The organiser takes the target over while the device is offline.
    case takenOver
  }

  /// `office` is the organiser's.
  init(
    _ way: FaultyTransport, office: FaultyTransport, _ log: RehearsalLog, _ findings: Findings,
    device: String, code: String, seed: UInt64, shuffles: Bool
  ) {
    (self.way, self.office, self.log, self.findings) = (way, office, log, findings)
    (self.device, self.code, self.shuffles) = (device, code, shuffles)
    ids = ClientIDs(seed: seed &+ 3)
    random = SplitMix64(seed: seed &+ 2)
  }

  /// Keeps the cards by a phone without an account.
  mutating func use(_ phone: LineDevice, at plate: LineDevice.Plate) {
    self.phone = (phone, plate)
    (way, device) = (phone.way, phone.name)
  }

  private mutating func join() async throws -> TargetLease {
    guard let phone else { return try await Self.join(code, device, card: 2, over: way) }
    var line = phone.device
    let joined = try await line.join(phone.plate, card: 2)
    self.phone = (line, phone.plate)
    return joined.lease ?? TargetLease()
  }

  /// Joins the target, and scores some ends of the cards.
  mutating func keep(
    _ cards: [SecondCard], ends: Range<Int>, _ trouble: Trouble
  ) async throws {
    let lease = try await join()
    for card in cards {
      for end in ends { queue.append(operation(card.ends[end], end, of: card.participant)) }
    }
    if shuffles { queue.shuffle(using: &random) }
    switch trouble {
    case .none: break
    case .ended:
      try await send(downTo: queue.count / 2)
      _ = try await office.call(
        Events.leaveTarget,
        .with { request in
          (request.tournamentID, request.sessionID) = (lease.tournamentID, lease.sessionID)
          (request.target, request.card) = (lease.target, 2)
        })
      try await send(downTo: 0)
    case .takenOver:
      try await send(downTo: queue.count / 2)
      return try await loseTarget()
    }
    try await send(downTo: 0)
  }

  /// Takes the lease on a card of a target, or renews it.
  @discardableResult
  static func join(
    _ code: String, _ device: String, card: UInt32, takesOver: Bool = false,
    over way: FaultyTransport
  ) async throws -> TargetLease {
    var lease = TargetLease()
    try await MatchDevices.repeated { () async throws in
      let joined = try await way.call(
        Events.joinTarget,
        .with { request in
          (request.code, request.device, request.card) = (code, device, card)
          request.takeOver = takesOver
        })
      lease = joined.lease ?? TargetLease()
    }
    return lease
  }

  /// Some ends are stored without a reply; then the organiser takes the target over. Those are
  /// answered as stored, and the others are stored too: nobody has entered anything there.
  private mutating func loseTarget() async throws {
    let unseen = Array(queue.prefix(3))
    try await apply(unseen, over: way)
    try await Self.join(code, "tablet, \(device)", card: 2, takesOver: true, over: office)
    for batch in queue.slices(of: 20) {
      for (operation, verdict) in zip(batch, try await apply(batch, over: way)) {
        let isStored = unseen.contains { $0.clientID == operation.clientID }
        // A batch whose reply was lost is sent again.
        findings.compare(
          "whether end \(operation.endIndex) of participant \(operation.participantID) by a"
            + " device that lost its target is kept",
          verdict == .same || !isStored && verdict == .stored,
          true)
      }
    }
    queue = []
  }

  /// Sends until at most so many operations are left.
  private mutating func send(downTo count: Int) async throws {
    var rounds = 0
    while queue.count > count {
      let size = min(Int.random(in: 1...20, using: &random), queue.count - count)
      let batch = Array(queue.prefix(size))
      var done: Set<[UInt8]> = []
      var waits = false
      for (operation, verdict) in zip(batch, try await apply(batch, over: way)) {
        switch verdict {
        case .stored, .same: done.insert(operation.clientID)
        case .notYet: waits = true
        default:
          throw RehearsalError(
            "\(device): end \(operation.endIndex) of participant \(operation.participantID) has"
              + " the verdict \(verdict.rawValue)")
        }
      }
      queue.removeAll { done.contains($0.clientID) }
      rounds += 1
      guard rounds < Self.attempts else {
        throw RehearsalError("\(device) could not send its ends")
      }
      guard waits else { continue }
      _ = try await join()
    }
  }

  /// The verdicts on a batch, which is sent until the network has it.
  @discardableResult
  private func apply(
    _ batch: [CardOperation], over way: FaultyTransport
  ) async throws -> [Verdict] {
    var verdicts: [Verdict] = []
    try await MatchDevices.repeated { () async throws in
      verdicts = try await way.call(
        Events.applyCardOperations, .with { $0.operations = batch }
      ).verdicts.map(\.verdict)
    }
    guard verdicts.count == batch.count else {
      throw RehearsalError("\(batch.count) operations had \(verdicts.count) verdicts")
    }
    return verdicts
  }

  private mutating func operation(
    _ arrows: [RehearsalPlan.Arrow], _ end: Int, of participant: Int64
  ) -> CardOperation {
    var operation = CardOperation()
    operation.clientID = ids.next()
    operation.participantID = participant
    operation.endIndex = UInt32(end)
    operation.arrows = arrows.map(MatchArrow.init)
    operation.device = device
    return operation
  }
}

extension Array {
  /// Its parts of at most a number of elements.
  fileprivate func slices(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { first in
      Array(self[first..<Swift.min(first + count, self.count)])
    }
  }
}
