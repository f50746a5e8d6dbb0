import QuiverRules

@testable import QuiverStore

/// Rounds as their tables hold them, with rollups kept by the hooks that commands use.
struct RoundBench {
  let setups: SetupBench
  var store: Store { setups.store }

  init() throws { setups = try SetupBench() }

  static let twoPasses = RoundFormat(
    name: "Both", location: .outdoor,
    passes: [
      RoundPass(
        arrowCount: 3, arrowsPerEnd: 3, distance: 70, unit: .metre, face: .tenZone,
        diameterCentimetres: 122),
      RoundPass(
        arrowCount: 3, arrowsPerEnd: 3, distance: 50, unit: .metre, face: .tenZone,
        diameterCentimetres: 80),
    ])

  /// One arrow to put somewhere.
  struct Arrow: Sendable {
    var slot: ArrowSlot
    var shot: ShotRecord

    init(_ end: Int, _ arrow: Int, _ value: Int, at: Int64, x: Double? = nil, y: Double = 0) {
      slot = ArrowSlot(endIndex: end, arrowIndex: arrow)
      shot = ShotRecord(
        value: value, position: x.map { ShotPoint(x: $0, y: y) }, scoredAt: at)
    }
  }

  /// Makes a format; answers its id.
  func format(_ format: RoundFormat = twoPasses) throws -> Int64 {
    try setups.perform(MakeFormat(format: format))
  }

  /// Makes a round with arrows.
  func round(
    _ setup: BowSetupRecord, _ format: Int64, _ arrows: [Arrow], status: Int64 = 4,
    of roundFormat: RoundFormat = twoPasses
  ) throws -> Int64 {
    try setups.perform(
      MakeRound(
        setup: setup.id, version: setup.version, formatID: format, format: roundFormat,
        status: status, arrows: arrows))
  }

  func rounds(
    _ scope: ComparisonScope, _ span: ShotSpan = ShotSpan(start: nil, end: .max),
    includesUnfinished: Bool = false
  ) throws -> [ComparedRound] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.comparedRounds(
        scope, span, includesUnfinished: includesUnfinished, withHandicaps: true)
    }
  }

  struct MakeFormat: Command {
    let format: RoundFormat
    private static let make = Query(
      """
      INSERT INTO round_format (principal_id, is_listed, codename, arrow_limit, name, location,
        body, created_at_ms) VALUES (1, 1, '', 0, ?1, ?2, '', 0)
      """)
    private static let pass = Query(
      "INSERT INTO format_pass VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")

    func apply(in transaction: borrowing Transaction) throws(StoreError) -> Int64 {
      let id = try transaction.insert(
        Self.make, .text(format.name), .integer(Int64(format.location.rawValue)))
      for (index, pass) in format.passes.enumerated() {
        try transaction.run(
          Self.pass, .integer(id), .integer(Int64(index)), .integer(Int64(pass.arrowCount)),
          .integer(Int64(pass.arrowsPerEnd)), .real(pass.distance),
          .integer(Int64(pass.unit.rawValue)), .integer(Int64(pass.face.rawValue)),
          .real(pass.diameterCentimetres))
      }
      return id
    }
  }

  struct MakeRound: Command {
    let setup: Int64
    let version: Int64
    let formatID: Int64
    let format: RoundFormat
    let status: Int64
    let arrows: [Arrow]
    private static let make = Query(
      """
      INSERT INTO round (participant_id, session_id, principal_id, format_id, setup_id,
        setup_version, status, revision)
      VALUES ((SELECT ifnull(max(id), 0) + 1 FROM round), 1, 1, ?1, ?2, ?3, ?4, 1)
      """)

    func apply(in transaction: borrowing Transaction) throws(StoreError) -> Int64 {
      let id = try transaction.insert(
        Self.make, .integer(formatID), .integer(setup), .integer(version), .integer(status))
      let round = RolledRound(
        id: id, setupID: setup, setupVersion: version)
      for arrow in arrows {
        guard let end = format.end(arrow.slot.endIndex) else { continue }
        try transaction.put(arrow, round: id, pass: end.passIndex)
        try transaction.addToRollup(
          arrow.shot, of: round, pass: end.pass, passIndex: end.passIndex)
      }
      return id
    }
  }

  /// Puts another arrow into a slot, and folds its pass anew.
  struct Correct: Command {
    let round: RolledRound
    let format: RoundFormat
    let arrow: Arrow

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      guard let end = format.end(arrow.slot.endIndex) else { return }
      try transaction.put(arrow, round: round.id, pass: end.passIndex)
      try transaction.foldRollup(of: round, pass: end.pass, passIndex: end.passIndex)
    }
  }

  /// Runs one statement behind the hooks' backs.
  struct Damage: Command {
    let query: Query

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      try transaction.run(query)
    }
  }
}

extension Transaction {
  private static let putArrow = Query(
    """
    INSERT OR REPLACE INTO scored_arrow (round_id, end_index, arrow_index, pass_index, operation_id,
      is_retracted, value, is_x, x, y, input, is_flagged, scored_at_ms, received_at_ms)
    VALUES (?1, ?2, ?3, ?4, 0, 0, ?5, ?6, ?7, ?8, 1, 0, ?9, ?9)
    """)

  fileprivate func put(
    _ arrow: RoundBench.Arrow, round: Int64, pass: Int
  ) throws(StoreError) {
    let shot = arrow.shot
    try run(
      Self.putArrow, .integer(round), .integer(Int64(arrow.slot.endIndex)),
      .integer(Int64(arrow.slot.arrowIndex)), .integer(Int64(pass)),
      .integer(Int64(shot.value)), .integer(shot.isX ? 1 : 0),
      shot.position.map { .real($0.x) } ?? .null, shot.position.map { .real($0.y) } ?? .null,
      .integer(shot.scoredAt))
  }
}
