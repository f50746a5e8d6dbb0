package import QuiverRules

/// What is kept of one distance of a card: a total on paper, and confirmations.
package struct CardDistance: Sendable, Equatable {
  /// The number of a pass, from 1.
  package let number: Int
  package let confirmations: Set<CardRole>
  /// The sums on paper; nil: none were typed.
  package let paper: TypedScore?
  /// By what the sums on paper are lower than the arrows, once they count.
  package let deduction: SumDeduction

  /// Whether there is a paper, or something is deducted.
  var hasPaper: Bool { paper != nil || !deduction.isNone }

  var isConfirmed: Bool { confirmations.count == CardRole.allCases.count }
}

extension Snapshot {
  private static let distances = Query(
    """
    SELECT distance, confirmations, paper_total, paper_hits, paper_golds, paper_x, deduction,
      deducted_hits, deducted_golds, deducted_x
    FROM card_distance
    WHERE participant_id = ?1 AND (?2 = 0 OR distance = ?2) ORDER BY distance
    """)

  /// The distances of a card of which something is kept, by their numbers; 0 names all.
  func cardDistances(
    participant id: Int64, number: Int = 0
  ) throws(StoreError) -> [CardDistance] {
    try all(Self.distances, .integer(id), .integer(Int64(number))) { row in
      CardDistance(
        number: Int(clamping: row.int64(0)), confirmations: CardRole.roles(of: row.int64(1)),
        paper: TypedScore(row, from: 2), deduction: SumDeduction(row, from: 6))
    }
  }

  /// Whether archer and scorer have confirmed the distance of an end, and not the whole card.
  func isConfirmed(distanceOfEnd index: Int, at place: ScoringPlace) throws(StoreError) -> Bool {
    guard place.cardState == .open, let end = place.format.end(index) else { return false }
    return try cardDistances(participant: place.participant.id, number: end.passIndex + 1)
      .contains { $0.isConfirmed }
  }
}

extension ScoringPlace {
  /// Throws unless 0 or the number of a distance is given.
  func checkPart(_ part: Int) throws(StoreError) {
    guard (0...format.passes.count).contains(part) else {
      throw .invalid(
        "part", "must be the number of a distance, from 1 to \(format.passes.count), or 0")
    }
  }

  /// Whether an end is one of a part; 0 is the whole card.
  func isEnd(_ index: Int, ofPart part: Int) -> Bool {
    part == 0 || format.end(index)?.passIndex == part - 1
  }
}

extension StoreError {
  /// The refusal of a change of a distance that both have confirmed.
  static func confirmedDistance(_ number: Int, _ field: String = "participant_id") -> StoreError {
    StoreError(
      .failedPrecondition,
      "archer and scorer have confirmed distance \(number); a judge may reopen it", field: field)
  }
}

extension Transaction {
  private static let begin = Query(
    """
    INSERT INTO card_distance (participant_id, distance, event_id, confirmations, paper_total,
      deduction)
    VALUES (?1, ?2, ?3, 0, NULL, 0) ON CONFLICT (participant_id, distance) DO NOTHING
    """)
  private static let setPaper = Query(
    """
    UPDATE card_distance SET paper_total = ?3, paper_hits = ?4, paper_golds = ?5, paper_x = ?6
    WHERE participant_id = ?1 AND distance = ?2
    """)
  private static let setRoles = Query(
    "UPDATE card_distance SET confirmations = ?3 WHERE participant_id = ?1 AND distance = ?2")
  private static let setDeduction = Query(
    """
    UPDATE card_distance SET deduction = ?3, deducted_hits = ?4, deducted_golds = ?5,
      deducted_x = ?6
    WHERE participant_id = ?1 AND distance = ?2
    """)
  private static let removeRoles = Query(
    """
    DELETE FROM distance_confirmation WHERE participant_id = ?1 AND (?2 = 0 OR distance = ?2)
    """)
  private static let clearRoles = Query(
    """
    UPDATE card_distance SET confirmations = 0
    WHERE participant_id = ?1 AND (?2 = 0 OR distance = ?2)
    """)
  private static let insert = Query(
    """
    INSERT INTO distance_confirmation (participant_id, distance, role, event_id, principal_id,
      confirmed_at_ms, signature)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """)
  private static let touch = Query(
    "UPDATE event_card SET revision = revision + 1 WHERE participant_id = ?1")

  /// Throws where archer and scorer have confirmed a distance of a part.
  func checkDistances(ofPart part: Int, of place: ScoringPlace) throws(StoreError) {
    guard place.cardState != .none else { return }
    let found = try snapshot.cardDistances(participant: place.participant.id, number: part)
      .first { $0.isConfirmed }
    if let found { throw .confirmedDistance(found.number) }
  }

  private func beginDistance(_ number: Int, of place: ScoringPlace) throws(StoreError) {
    try beginCard(of: place)
    try run(
      Self.begin, .integer(place.participant.id), .integer(Int64(number)),
      .integer(place.participant.sessionID))
    try run(Self.touch, .integer(place.participant.id))
  }

  /// Stores or removes the sums of a distance on paper.
  func setPaper(
    _ paper: TypedScore?, ofDistance number: Int, of place: ScoringPlace
  ) throws(StoreError) {
    try beginDistance(number, of: place)
    try run(
      Self.setPaper,
      values: [.integer(place.participant.id), .integer(Int64(number))]
        + TypedScore.values(of: paper))
  }

  /// Stores a confirmation of a distance beside those that it has.
  func confirm(
    distance number: Int, of place: ScoringPlace, _ role: CardRole, among roles: Set<CardRole>,
    signature: [UInt8]
  ) throws(StoreError) {
    let id = place.participant.id
    try beginDistance(number, of: place)
    try run(
      Self.insert, .integer(id), .integer(Int64(number)), .integer(Int64(role.rawValue)),
      .integer(place.participant.sessionID), .integer(caller.principal),
      .integer(nowMilliseconds), signature.isEmpty ? .null : .blob(signature))
    try run(
      Self.setRoles, .integer(id), .integer(Int64(number)),
      .integer(CardRole.bits(of: roles.union([role]))))
  }

  /// Takes the confirmations of a distance back, or those of all distances.
  func takeDistancesBack(_ number: Int, of participant: Int64) throws(StoreError) {
    let isAny = try snapshot.cardDistances(participant: participant, number: number)
      .contains { !$0.confirmations.isEmpty }
    guard isAny else { return }
    try run(Self.removeRoles, .integer(participant), .integer(Int64(number)))
    try run(Self.clearRoles, .integer(participant), .integer(Int64(number)))
    try run(Self.touch, .integer(participant))
  }

  /// By what the sums on paper of confirmed distances are lower than what was recorded there, which
  /// it stores with each of them.
  func deduct(
    _ distances: [CardDistance], of participant: Int64, _ parts: [CardPart],
    by rule: DoubleScoringRule
  ) throws(StoreError) -> SumDeduction {
    var sum = SumDeduction()
    for distance in distances {
      var lower = SumDeduction()
      if distance.isConfirmed, let paper = distance.paper,
        let part = parts.first(where: { $0.number == distance.number })
      {
        lower = rule.deduction(from: part.sums, by: paper)
      }
      sum += lower
      guard lower != distance.deduction else { continue }
      try run(
        Self.setDeduction, .integer(participant), .integer(Int64(distance.number)),
        .integer(Int64(lower.points)), .integer(Int64(lower.hits)),
        .integer(Int64(lower.golds)), .integer(Int64(lower.xCount)))
    }
    return sum
  }
}

extension TypedScore {
  /// The total, hits, golds and X as columns have them.
  static func values(of paper: TypedScore?) -> [SQLValue] {
    [paper?.total, paper?.hits, paper?.golds, paper?.xCount].map { .optional($0.map(Int64.init)) }
  }
}

extension CountedTable {
  /// Those of distances; cards count for the organiser, confirmations for who made them.
  static let cardDistances = [
    ofEvent("card_distance", fixed: 96, []),
    CountedTable("distance_confirmation", fixed: 136, texts: ["signature"]),
  ]
}

extension Table {
  static let ofCardDistances: [Table] = [
    Table(
      "card_distance", key: .columns("participant_id distance"), export: .sections([.cards]),
      .integers("participant_id distance event_id confirmations paper_total? deduction"),
      .integers("paper_hits? paper_golds? paper_x? deducted_hits deducted_golds deducted_x")),
    Table(
      "distance_confirmation", key: .columns("participant_id distance role"),
      export: .sections([.cards]),
      erasing: [.limited(64, key: "participant_id", where: "AND signature IS NOT NULL")],
      .integers("participant_id distance role event_id principal_id confirmed_at_ms"),
      .bytes("signature?", export: .included, erasure: .value("NULL"))),
  ]
}

extension Migration {
  /// Confirmations and totals on paper of the distances of a card.
  static let cardDistances = """
    CREATE TABLE card_distance (
      participant_id INTEGER NOT NULL,
      distance INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      confirmations INTEGER NOT NULL,
      paper_total INTEGER,
      deduction INTEGER NOT NULL,
      PRIMARY KEY (participant_id, distance)
    ) WITHOUT ROWID;
    CREATE INDEX card_distance_by_event ON card_distance (event_id);
    CREATE TABLE distance_confirmation (
      participant_id INTEGER NOT NULL,
      distance INTEGER NOT NULL,
      role INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      confirmed_at_ms INTEGER NOT NULL,
      signature BLOB,
      PRIMARY KEY (participant_id, distance, role)
    ) WITHOUT ROWID;
    CREATE INDEX distance_confirmation_by_event ON distance_confirmation (event_id);
    CREATE INDEX distance_confirmation_by_principal
      ON distance_confirmation (principal_id, participant_id);

    \(CountedTable.cardDistances.map(\.triggers).joined())
    """
}

extension Migration {
  /// Hits, golds and X of cards and distances on paper, and what lower ones deduct.
  static let paperCounts = ["event_card", "card_distance"].map { table in
    """
    ALTER TABLE \(table) ADD COLUMN paper_hits INTEGER;
    ALTER TABLE \(table) ADD COLUMN paper_golds INTEGER;
    ALTER TABLE \(table) ADD COLUMN paper_x INTEGER;
    ALTER TABLE \(table) ADD COLUMN deducted_hits INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE \(table) ADD COLUMN deducted_golds INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE \(table) ADD COLUMN deducted_x INTEGER NOT NULL DEFAULT 0;

    """
  }.joined()
}

extension PostgresSchema {
  /// The same step as that of SQLite.
  static let paperCounts = Migration.paperCounts.replacing("INTEGER", with: "bigint")

  /// The step of distances.
  static let cardDistances = """
    CREATE TABLE card_distance (
      participant_id bigint NOT NULL, distance bigint NOT NULL, event_id bigint NOT NULL,
      confirmations bigint NOT NULL, paper_total bigint, deduction bigint NOT NULL,
      PRIMARY KEY (participant_id, distance)
    );
    CREATE INDEX card_distance_by_event ON card_distance (event_id);
    CREATE TABLE distance_confirmation (
      participant_id bigint NOT NULL, distance bigint NOT NULL, role bigint NOT NULL,
      event_id bigint NOT NULL, principal_id bigint NOT NULL, confirmed_at_ms bigint NOT NULL,
      signature bytea, PRIMARY KEY (participant_id, distance, role)
    );
    CREATE INDEX distance_confirmation_by_event ON distance_confirmation (event_id);
    CREATE INDEX distance_confirmation_by_principal
      ON distance_confirmation (principal_id, participant_id);

    \(CountedTable.cardDistances.map(\.postgresTriggers).joined())
    """
}
