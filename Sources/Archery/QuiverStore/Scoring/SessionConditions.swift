package import QuiverRules

extension ShootingConditions {
  /// The columns of `init(_:from:)`, for a table with the alias `s`.
  static let columns = "s.place, s.weather, s.wind, s.light"

  /// The conditions whose columns start at the given one.
  init(_ row: Row, from column: Int32) {
    self.init(
      place: row.text(column), weather: WeatherKind(rawValue: row.int32(column + 1)),
      wind: WindStrength(rawValue: row.int32(column + 2)),
      light: LightKind(rawValue: row.int32(column + 3)))
  }

  /// As the columns have it.
  var values: [SQLValue] {
    [
      .text(place), .integer(Int64(weather?.rawValue ?? 0)), .integer(Int64(wind?.rawValue ?? 0)),
      .integer(Int64(light?.rawValue ?? 0)),
    ]
  }
}

/// Replaces the conditions of a practice session of the caller.
///
/// If nothing differs, nothing is written.
package struct SetSessionConditions: Command {
  private let session: ObjectReference
  private let conditions: ShootingConditions

  private static let update = Query(
    "UPDATE shooting_session SET place = ?2, weather = ?3, wind = ?4, light = ?5 WHERE id = ?1")

  /// Validates the place.
  package init(
    _ session: ObjectReference, _ conditions: ShootingConditions
  ) throws(StoreError) {
    self.session = session
    self.conditions = try validating { () throws(RuleViolation) in
      try conditions.validated(path: "conditions.")
    }
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> SessionRecord {
    let known = try transaction.ownSession(session)
    guard known.conditions != conditions else { return known }
    try transaction.keep(conditions, ofSession: known.id)
    try transaction.record(
      .updated, of: .session, id: known.id, principal: transaction.caller.principal)
    return try transaction.ownSession(.id(known.id))
  }

  fileprivate static func values(_ id: Int64, _ conditions: ShootingConditions) -> [SQLValue] {
    [.integer(id)] + conditions.values
  }

  fileprivate static var query: Query { update }
}

extension Transaction {
  /// Stores the conditions of a session that exists.
  func keep(_ conditions: ShootingConditions, ofSession id: Int64) throws(StoreError) {
    try run(SetSessionConditions.query, values: SetSessionConditions.values(id, conditions))
  }
}

extension Snapshot {
  private static let known = """
    (s.weather <> 0 OR s.wind <> 0 OR s.light <> 0 OR s.place <> '')
    """
  // From the rollups of the range, so that the cost does not depend on earlier rounds.
  private static let inRange = """
    SELECT r.id, \(ShootingConditions.columns)
    FROM arrow_rollup a JOIN round r ON r.id = a.id / \(RollupKey.passesPerRound)
      JOIN shooting_session s ON s.id = r.session_id
    WHERE a.last_shot_ms >= ?2 AND a.first_shot_ms < ?3 AND \(known) AND
    """
  private static let ofSetup = Query("\(inRange) a.setup_id = ?1")
  private static let ofItem = Query(
    """
    \(inRange) a.setup_id IN (
      SELECT setup_id FROM bow_setup_component WHERE equipment_id = ?1)
    """)

  /// The conditions of a scope's rounds with arrows in the range by the round's id, without rounds
  /// of which nothing is known.
  func conditions(
    _ scope: ComparisonScope, _ span: ShotSpan
  ) throws(StoreError) -> [Int64: ShootingConditions] {
    let (query, id) =
      switch scope {
      case .setup(let id, _): (Self.ofSetup, id)
      case .item(let id): (Self.ofItem, id)
      }
    var conditions: [Int64: ShootingConditions] = [:]
    try session.forEach(
      query, [.integer(id), .integer(span.start ?? .min), .integer(span.end)]
    ) { row in
      conditions[row.int64(0)] = ShootingConditions(row, from: 1)
    }
    return conditions
  }
}
