import QuiverRules

@testable import QuiverStore

/// An event of three arrows whose archers have accounts, were cut, and stand in a bracket.
struct BracketBench {
  let bench: EventBench
  let event: Int64
  let category: Int64
  /// By seed: the best first.
  let archers: [Int64]
  let participants: [Int64]
  let stage: Int64

  /// The archers shoot 30, 29, 28 and so on, or nothing.
  init(_ count: Int, shoots: Bool = true, in bench: EventBench) throws {
    self.bench = bench
    let record = try bench.event(arrows: 3) { $0.maxParticipants = 128 }
    let event = record.head.id
    self.event = event
    let organiser = bench.organiser
    let names = (1...count).map { "Archer \($0)" }
    let archers = try names.map { try bench.archer($0) }
    self.archers = archers
    let participants = try archers.map { try bench.join($0, record).id }
    self.participants = participants
    try bench.start(record)
    if shoots {
      for (place, participant) in participants.enumerated() {
        for arrow in 0..<3 {
          try bench.record(participant, 0, arrow, "\(max(1, 10 - (place + arrow) / 3))")
        }
      }
    } else {
      try bench.finalise(record)
    }
    category = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: event, principal: organiser)[0].id
    }
    var scope = CutCategory.Scope()
    (scope.event, scope.category, scope.size, scope.seed) = (event, category, UInt32(count), 3)
    stage = try bench.perform(try CutCategory(scope, .individualSets)).stage.id
  }

  func bracket() throws -> BracketRecord {
    try bench.store.read { (snapshot) throws(StoreError) in try snapshot.bracket(stage: stage) }
  }

  /// The match at a place of the bracket.
  func match(_ roundSize: Int, _ index: Int) throws -> MatchRecord {
    let place = BracketPlace(roundSize: roundSize, index: index)
    let found = try bracket().matches.first { $0.place == place }
    guard let found else { throw StoreError(.notFound, "there is no such match") }
    return found
  }

  /// An end, or a shoot-off, of three arrows or one.
  func operation(
    _ match: Int64, _ side: MatchSide, _ index: Int, _ values: [Int], shootOff: Bool = false,
    marked: Bool = false, _ change: (inout MatchOperationDraft) -> Void = { _ in }
  ) throws -> MatchOperationDraft {
    var draft = MatchOperationDraft()
    draft.clientID = try bench.clientID()
    (draft.match, draft.side, draft.index, draft.isShootOff) = (match, side, index, shootOff)
    let arrows = values.map { ArrowScore(value: $0) }
    draft.entry =
      shootOff
      ? .shootOff(index, ShootOffShot(arrows, isMarkedCloser: marked)) : .end(index, arrows)
    change(&draft)
    return draft
  }

  @discardableResult
  func apply(
    _ drafts: [MatchOperationDraft], as principal: Int64? = nil
  ) throws -> [MatchOutcome] {
    try bench.perform(try ApplyMatchOperations(drafts), as: principal)
  }

  /// Shoots a match that one side wins 6 to 0, and confirms both cards.
  func play(_ id: Int64, winner: MatchSide) throws {
    var drafts: [MatchOperationDraft] = []
    for end in 0..<3 {
      drafts.append(try operation(id, winner, end, [10, 10, 10]))
      drafts.append(try operation(id, winner.other, end, [9, 9, 9]))
    }
    try apply(drafts)
    for side in MatchSide.allCases {
      let revision = try bracket().matches.first { $0.id == id }?.revision ?? 0
      try bench.perform(try ConfirmMatchCard(id, side, revision: revision))
    }
  }

  /// Ties a match after its five ends.
  func tie(_ id: Int64) throws {
    for end in 0..<5 {
      try apply([
        try operation(id, .first, end, [9, 9, 9]), try operation(id, .second, end, [9, 9, 9]),
      ])
    }
  }
}
