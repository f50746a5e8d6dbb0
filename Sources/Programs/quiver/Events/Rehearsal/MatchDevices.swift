import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Two devices without a session, each for one card of a match.
struct MatchDevices {
  private let ways: [FaultyTransport]
  /// The targets that the devices hold, by side; none: the sides have no targets.
  private var targets: [Target] = []
  private let log: RehearsalLog
  private let shuffles: Bool
  private var ids: ClientIDs
  private var random: SplitMix64

  private static let attempts = 400

  /// A target of a match with the device that scores it.
  struct Target: Sendable {
    let number: UInt32
    let code: String
    let device: String
  }

  init(_ ways: [FaultyTransport], _ log: RehearsalLog, seed: UInt64, shuffles: Bool) {
    self.ways = ways
    self.log = log
    self.shuffles = shuffles
    ids = ClientIDs(seed: seed &+ 1)
    random = SplitMix64(seed: seed)
  }

  /// The same by devices that hold the targets of the sides.
  init(
    _ ways: [FaultyTransport], at targets: [Target], _ log: RehearsalLog, seed: UInt64,
    shuffles: Bool
  ) async throws {
    self.init(ways, log, seed: seed, shuffles: shuffles)
    self.targets = targets
    for (target, way) in zip(targets, ways) {
      try await SecondDevice.join(target.code, target.device, card: 1, over: way)
    }
  }

  /// The device of one target does not score who shoots at the other one.
  mutating func refuseOthers(_ match: EliminationMatch, _ findings: Findings) async throws {
    for side in targets.indices {
      var entry = MatchCardEntry()
      entry.arrows = [MatchArrow(RehearsalPlan.Arrow(value: 10))]
      var wrong = operation(entry, 1 - side, of: match)
      wrong.device = targets[side].device
      let (foreign, way) = (wrong, ways[side])
      var verdicts: [MatchVerdict] = []
      try await Self.repeated { () async throws in
        verdicts = try await way.call(
          Elimination.applyMatchOperations, .with { $0.operations = [foreign] }
        ).verdicts.map(\.verdict)
      }
      findings.compare(
        "the verdict on an end of a match by the device of another target", verdicts, [.refused])
      log.exclude(match: foreign.clientID)
    }
  }

  /// Records both cards, each by its device and in its order, and confirms them.
  mutating func play(
    _ script: MatchScript, of match: EliminationMatch, judge: FaultyTransport
  ) async throws {
    var waiting: [[MatchOperation]] = [[], []]
    for side in [0, 1] {
      for end in script.ends[side].indices {
        var entry = MatchCardEntry()
        entry.index = UInt32(end)
        entry.arrows = script.ends[side][end].map(MatchArrow.init)
        waiting[side].append(operation(entry, side, of: match))
      }
      if shuffles { waiting[side].shuffle(using: &random) }
    }
    try await send(waiting, over: ways)
    for (index, shots) in script.shootOffs.enumerated() {
      var operations: [[MatchOperation]] = [[], []]
      for side in [0, 1] {
        operations[side] = [operation(Self.entry(shots[side], index), side, of: match)]
      }
      try await send(operations, over: ways)
    }
    if let side = script.judgesMark, let index = script.shootOffs.indices.last {
      var shot = script.shootOffs[index][side]
      shot.isCloser = true
      try await correct(Self.entry(shot, index), side, of: match, by: judge, "closer")
    }
    for side in [0, 1] { try await Self.confirm(side, of: match.id, over: ways[side]) }
  }

  /// Replaces what is on a card, as the judge.
  mutating func correct(
    _ entry: MatchCardEntry, _ side: Int, of match: EliminationMatch, by judge: FaultyTransport,
    _ reason: String
  ) async throws {
    var correction = operation(entry, side, of: match)
    let head = log.head(
      ofMatch: match.id, side: UInt32(side + 1), shootOff: entry.shootOff, index: entry.index)
    guard let head else { throw RehearsalError("nothing was sent that could be corrected") }
    correction.replacesClientID = head
    correction.reason = reason
    try await send([[correction]], over: [judge])
  }

  /// Confirms a card as it is at the server.
  static func confirm(_ side: Int, of match: Int64, over way: FaultyTransport) async throws {
    try await repeated { () async throws in
      let shown = try await way.call(Elimination.getMatch, .with { $0.matchID = match })
      guard shown.sides.count == 2, !shown.sides[side].confirmed else { return }
      _ = try await way.call(
        Elimination.confirmMatchCard,
        .with { request in
          request.matchID = match
          request.side = UInt32(side + 1)
          request.revision = shown.revision
        })
    }
  }

  /// Repeats a call until the network has it.
  static func repeated(_ body: () async throws -> Void) async throws {
    var failures = 0
    while true {
      do {
        return try await body()
      } catch let error as RPCError
        where [.unavailable, .cancelled, .aborted].contains(error.code) && failures < attempts
      {
        failures += 1
        try await Task.sleep(for: .milliseconds(min(20, failures)))
      }
    }
  }

  private static func entry(_ shot: PlainMatch.Shot, _ index: Int) -> MatchCardEntry {
    var entry = MatchCardEntry()
    entry.shootOff = true
    entry.index = UInt32(index)
    entry.arrows = shot.arrows.map(MatchArrow.init)
    entry.distances = shot.distances.map { UInt32($0) }
    entry.isCloser = shot.isCloser
    return entry
  }

  private mutating func operation(
    _ entry: MatchCardEntry, _ side: Int, of match: EliminationMatch
  ) -> MatchOperation {
    var operation = MatchOperation()
    operation.clientID = ids.next()
    operation.matchID = match.id
    operation.side = UInt32(side + 1)
    operation.participantID = match.sides[side].participantID
    operation.entry = entry
    if targets.indices.contains(side) { operation.device = targets[side].device }
    return operation
  }

  /// Sends the operations of each card over its way, a few at a time, until all have a verdict.
  private mutating func send(
    _ operations: [[MatchOperation]], over ways: [FaultyTransport]
  ) async throws {
    var waiting = operations
    var failures = 0
    while let side = waiting.indices.filter({ !waiting[$0].isEmpty }).randomElement(using: &random)
    {
      let batch = Array(waiting[side].prefix(Int.random(in: 1...3, using: &random)))
      do {
        let reply = try await ways[side].call(
          Elimination.applyMatchOperations,
          ApplyMatchOperationsRequest.with { $0.operations = batch })
        for verdict in reply.verdicts where verdict.verdict != .stored && verdict.verdict != .same {
          throw RehearsalError(
            "an operation on match \(batch[0].matchID) was refused: \(verdict.message)")
        }
        waiting[side].removeFirst(batch.count)
      } catch let error as RPCError where error.code == .unavailable || error.code == .cancelled {
        failures += 1
        guard failures < Self.attempts else { throw error }
        try await Task.sleep(for: .milliseconds(min(20, failures)))
      }
    }
  }
}

extension MatchArrow {
  init(_ arrow: RehearsalPlan.Arrow) {
    self.init()
    value = UInt32(arrow.value)
    isX = arrow.isX
  }
}
