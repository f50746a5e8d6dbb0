import QuiverRules

@testable import QuiverStore

/// An event of two ends in progress, with an archer, a scorer, a judge and an entry.
struct CardBench {
  let bench: EventBench
  let event: TournamentRecord
  let archer: Int64
  let scorer: Int64
  let judge: Int64
  /// The participant of the archer.
  let own: Int64
  /// A participant without an account.
  let entry: Int64

  init(_ bench: EventBench) throws {
    self.bench = bench
    event = try bench.event(arrows: 6)
    archer = try bench.archer("Robin")
    scorer = try bench.archer("Will")
    judge = try bench.archer("Tuck")
    own = try bench.join(archer, event).id
    entry = try bench.entries(["Much"], event)[0].id
    try bench.perform(SetOfficial(try bench.code(of: scorer), of: event.head.id, role: .scorer))
    try bench.perform(SetOfficial(try bench.code(of: judge), of: event.head.id, role: .judge))
    try bench.start(event)
  }

  /// Arrows as on a score sheet.
  static func arrows(_ text: String) -> [ArrowScore] {
    text.split(separator: " ").compactMap { ArrowScore(sheet: $0) }
  }

  /// Records an end of the first card, by the organiser.
  func first(_ participant: Int64, _ end: Int, _ text: String) throws {
    for (index, word) in text.split(separator: " ").enumerated() {
      try bench.record(participant, end, index, String(word))
    }
  }

  func draft(
    _ participant: Int64, _ end: Int, _ text: String,
    _ change: (inout CardOperationDraft) -> Void = { _ in }
  ) throws -> CardOperationDraft {
    var draft = CardOperationDraft()
    draft.clientID = try bench.clientID()
    draft.participant = participant
    draft.endIndex = end
    draft.arrows = Self.arrows(text)
    change(&draft)
    return draft
  }

  /// Records an end of the second card, by the scorer.
  @discardableResult
  func second(
    _ participant: Int64, _ end: Int, _ text: String, as principal: Int64? = nil,
    _ change: (inout CardOperationDraft) -> Void = { _ in }
  ) throws -> CardOutcome {
    try apply(try draft(participant, end, text, change), as: principal)
  }

  @discardableResult
  func apply(_ draft: CardOperationDraft, as principal: Int64? = nil) throws -> CardOutcome {
    try bench.perform(try ApplyCardOperations([draft]), as: principal ?? scorer)[0]
  }

  func card(_ participant: Int64) throws -> ComparedCardRecord {
    try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.comparedCard(participant: participant)
    }
  }

  /// The states of the ends of the second card.
  func states(_ participant: Int64) throws -> [CardEndState] {
    try card(participant).ends.map(\.state)
  }

  @discardableResult
  func confirm(
    _ participant: Int64, _ role: CardRole, as principal: Int64? = nil, revision: UInt64? = nil,
    signature: [UInt8] = []
  ) throws -> ComparedCardRecord {
    let read = UInt64(clamping: try card(participant).revision)
    return try bench.perform(
      try ConfirmScoreCard(
        participant, role, revision: revision ?? read, signature: signature),
      as: principal ?? (role == .archer ? archer : scorer))
  }

  /// Fills both cards of the archer, and confirms them.
  func confirmed(first: [String], second: [String]) throws {
    for (index, text) in first.enumerated() { try self.first(own, index, text) }
    for (index, text) in second.enumerated() { try self.second(own, index, text) }
    try confirm(own, .archer)
    try confirm(own, .scorer)
  }

  /// How a command that must be refused ends; it changes nothing.
  func refusal(_ body: () throws -> some Any) throws -> StoreError? {
    let before = try bench.sequence()
    let found = bench.refusal(body)
    let after = try bench.sequence()
    return after == before ? found : nil
  }
}
