import QuiverRules

/// The steps that erase a deleted account, in order. Each is done in slices, one a command.
///
/// The number of the current step and its position are stored, so that a start continues where the
/// last process ended. Scores stay, under neutral names, since leaderboards depend on them. A test
/// compares the texts that remain with all columns of the schema: each new one needs a step.
struct ErasureStep: Sendable {
  /// Stored: numbers never change their meaning.
  let number: Int64
  let slice: Slice

  typealias Slice =
    @Sendable (borrowing Transaction, ErasurePlace) throws(StoreError) -> ErasureProgress
}

/// Where a slice of a step begins.
struct ErasurePlace: Sendable {
  let principal: Int64

  /// Where the last slice of this step ended; 0 at its start.
  let position: Int64
}

/// How far one slice came.
struct ErasureProgress {
  let position: Int64
  let isDone: Bool

  /// About how many rows were changed, each with its entries in other tables.
  let rowCount: Int64
}

extension ErasureStep {
  /// A step over rows of the principal, in the order of their ids.
  ///
  /// `rows` takes the principal, the position and a number of rows; each of `statements` takes the
  /// principal and the id of a row.
  static func rows(
    _ number: Int64, _ rows: Query, noting kind: ObjectKind? = nil, _ statements: [Query]
  ) -> ErasureStep {
    let slice: Slice = { (transaction, place) throws(StoreError) in
      let limit = StoreLimits.erasedRowsPerCommand
      let ids = try transaction.snapshot.all(
        rows, .integer(place.principal), .integer(place.position), .integer(limit)
      ) { row in row.int64(0) }
      try transaction.run(statements, on: ids, of: place.principal)
      if let kind { for id in ids { transaction.effects.note(.deleted, of: kind, id: id) } }
      return ErasureProgress(
        position: ids.last ?? place.position, isDone: ids.count < limit,
        rowCount: Int64(ids.count))
    }
    return ErasureStep(number: number, slice: slice)
  }

  /// A step over a table that has no index by principal.
  ///
  /// `next` takes a position and returns the next id; `rows` takes the principal, a position and
  /// the last id to look at.
  static func search(
    _ number: Int64, next: Query, _ rows: Query, _ statements: [Query]
  ) -> ErasureStep {
    let slice: Slice = { (transaction, place) throws(StoreError) in
      let first = try transaction.snapshot.first(next, .integer(place.position)) { row in
        row.int64(0)
      }
      guard let first else {
        return ErasureProgress(position: place.position, isDone: true, rowCount: 0)
      }
      let last = first + StoreLimits.searchedRowsPerCommand - 1
      let ids = try transaction.snapshot.all(
        rows, .integer(place.principal), .integer(first - 1), .integer(last)
      ) { row in row.int64(0) }
      try transaction.run(statements, on: ids, of: place.principal)
      return ErasureProgress(
        position: last, isDone: false, rowCount: searchCost + Int64(ids.count))
    }
    return ErasureStep(number: number, slice: slice)
  }

  /// What looking through a slice costs, in erased rows.
  static var searchCost: Int64 { StoreLimits.erasedRowsPerCommand }

  /// A step of one statement that takes the principal and a number of rows.
  static func limited(_ number: Int64, _ statement: Query) -> ErasureStep {
    let slice: Slice = { (transaction, place) throws(StoreError) in
      let limit = StoreLimits.erasedRowsPerCommand
      let count = try transaction.runCounting(statement, .integer(place.principal), .integer(limit))
      return ErasureProgress(position: 0, isDone: count < limit, rowCount: count)
    }
    return ErasureStep(number: number, slice: slice)
  }
}

extension Transaction {
  /// Runs statements that take a principal and the id of a row on each of some rows.
  fileprivate func run(
    _ statements: [Query], on ids: [Int64], of principal: Int64
  ) throws(StoreError) {
    for id in ids {
      for statement in statements { try run(statement, .integer(principal), .integer(id)) }
    }
  }
}

extension ErasureStep {
  /// All steps by their numbers: what others see first, then what only the principal saw.
  static let all: [ErasureStep] = [
    names, shared, notices, equipment, setups, logbook, counts, last,
  ]
  .flatMap { $0 }

  private static let names = [
    ErasureStep(number: 1, slice: LeftTournaments.slice),
    ErasureStep(number: 2, slice: ErasedParticipants.slice),
  ]

  private static let last: [ErasureStep] = [
    ErasureStep(number: 50, slice: ErasedReplies.slice),
    .limited(
      51,
      Query(
        """
        DELETE FROM erased_event WHERE session_id IN (
          SELECT session_id FROM erased_event WHERE principal_id = ?1 LIMIT ?2)
        """)),
    .limited(
      52,
      Query(
        """
        DELETE FROM erased_word WHERE principal_id = ?1 AND word IN (
          SELECT word FROM erased_word WHERE principal_id = ?1 LIMIT ?2)
        """)),
  ]

  /// Frees the client_id of a row that is erased.
  static func clientObject(_ table: String) -> Query {
    Query(
      """
      DELETE FROM client_object WHERE principal_id = ?1 AND client_id = (
        SELECT client_id FROM \(table) WHERE id = ?2)
      """)
  }

  /// What belongs to sessions and events, and texts in tables of all principals.
  private static let shared: [ErasureStep] = [
    .rows(
      3,
      Query(
        """
        SELECT id FROM shooting_session WHERE principal_id = ?1 AND is_tournament = 0 AND id > ?2
        ORDER BY id LIMIT ?3
        """),
      [
        clientObject("shooting_session"),
        Query(
          """
          UPDATE shooting_session SET notes = '', place = '', weather = 0, wind = 0, light = 0,
            client_id = NULL
          WHERE id = ?2 AND principal_id = ?1
          """),
      ]),
    .rows(
      4,
      Query(
        "SELECT id FROM round WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
      [
        Query(
          """
          UPDATE round SET setup_id = NULL, setup_version = NULL
          WHERE id = ?2 AND principal_id = ?1
          """)
      ]),
    .search(
      5, next: Query("SELECT id FROM round_format WHERE id > ?1 ORDER BY id LIMIT 1"),
      Query("SELECT id FROM round_format WHERE id > ?2 AND id <= ?3 AND principal_id = ?1"),
      [
        word("name", "round_format"), word("body", "round_format"), clientObject("round_format"),
        Query(
          """
          UPDATE round_format SET is_listed = 0, client_id = NULL, name = 'Format ' || id,
            body = ''
          WHERE id = ?2 AND principal_id = ?1
          """),
      ]),
    .search(
      6, next: Query("SELECT id FROM scoring_operation WHERE id > ?1 ORDER BY id LIMIT 1"),
      Query(
        """
        SELECT id FROM scoring_operation WHERE id > ?2 AND id <= ?3 AND principal_id = ?1
          AND (reason <> '' OR device <> '')
        """),
      [
        Query(
          """
          UPDATE scoring_operation SET reason = '', device = ''
          WHERE id = ?2 AND principal_id = ?1
          """)
      ]),
    .rows(
      7,
      Query(
        joiningInOrder: """
          SELECT o.id FROM erased_event e
          CROSS JOIN scoring_operation o ON o.session_id = e.session_id AND o.ruling <> ''
          WHERE e.principal_id = ?1 LIMIT ?3
          """),
      [Query("UPDATE scoring_operation SET ruling = '' WHERE id = ?2")]),
    .search(
      8, next: Query("SELECT sequence FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT 1"),
      Query(
        """
        SELECT sequence FROM audit WHERE sequence > ?2 AND sequence <= ?3
          AND (principal_id = ?1 OR actor_id = ?1
            OR (kind = \(ObjectKind.certificateBinding.rawValue) AND topic = ?1))
          AND (device <> '' OR reason <> '')
        """),
      [
        Query(
          """
          UPDATE audit SET device = '', reason = '', salt = NULL,
            text_hash = coalesce(text_hash, x'')
          WHERE sequence = ?2
          """,
          postgreSQL: """
            UPDATE audit SET device = '', reason = '', salt = NULL,
              text_hash = coalesce(text_hash, '')
            WHERE sequence = ?2
            """)
      ]),
    .search(
      9, next: Query("SELECT id FROM invite WHERE id > ?1 ORDER BY id LIMIT 1"),
      Query(
        """
        SELECT id FROM invite WHERE id > ?2 AND id <= ?3 AND created_by = ?1 AND label <> ''
        """),
      [Query("UPDATE invite SET label = '' WHERE id = ?2 AND created_by = ?1")]),
    .rows(
      10,
      Query(
        """
        SELECT id FROM acting_grant WHERE (service_id = ?1 OR user_id = ?1) AND id > ?2
        ORDER BY id LIMIT ?3
        """), [Query("DELETE FROM acting_grant WHERE id = ?2")]),
    // Codes are unique in an event: the neutral one is longer than any that can be entered.
    eventRows(
      11, "event_category", ["code", "name"], "code = 'erased category ' || id, name = ''"),
    eventRows(12, "event_session", ["name"], "name = 'Session ' || id"),
    .limited(
      13,
      Query(
        """
        DELETE FROM event_official WHERE principal_id = ?1 AND event_id IN (
          SELECT event_id FROM event_official WHERE principal_id = ?1 LIMIT ?2)
        """)),
    eventRows(14, "event_team", ["name"], "name = 'Team ' || id"),
    .limited(
      15,
      Query(
        """
        UPDATE card_confirmation SET signature = NULL
        WHERE principal_id = ?1 AND signature IS NOT NULL AND participant_id IN (
          SELECT participant_id FROM card_confirmation
          WHERE principal_id = ?1 AND signature IS NOT NULL LIMIT ?2)
        """)),
    .limited(
      16,
      Query(
        """
        UPDATE event_card_end SET reason = ''
        WHERE ruled_by = ?1 AND ruled_by > 0 AND reason <> '' AND participant_id IN (
          SELECT participant_id FROM event_card_end
          WHERE ruled_by = ?1 AND ruled_by > 0 AND reason <> '' LIMIT ?2)
        """)),
    .limited(
      17,
      Query(
        """
        DELETE FROM event_lease WHERE principal_id = ?1 AND event_id IN (
          SELECT event_id FROM event_lease WHERE principal_id = ?1 LIMIT ?2)
        """)),
  ]

  /// The texts of the events that the principal organised, in the order of the rows.
  private static func eventRows(
    _ number: Int64, _ table: String, _ texts: [String], _ neutral: String
  ) -> ErasureStep {
    .rows(
      number,
      Query(
        """
        SELECT r.id FROM \(table) r JOIN erased_event e ON e.session_id = r.event_id
        WHERE e.principal_id = ?1 AND r.id > ?2 ORDER BY r.id LIMIT ?3
        """),
      texts.map { word($0, table) }
        + [Query("UPDATE \(table) SET \(neutral) WHERE id = ?2")])
  }

  /// Keeps a text that replies to others may have.
  static func word(_ column: String, _ table: String) -> Query {
    Query(
      """
      INSERT INTO erased_word (principal_id, word)
      SELECT ?1, CAST(\(column) AS BLOB) FROM \(table) WHERE id = ?2 AND \(column) <> ''
      ON CONFLICT DO NOTHING
      """,
      postgreSQL: """
        INSERT INTO erased_word (principal_id, word)
        SELECT ?1, convert_to(\(column), 'UTF8') FROM \(table) WHERE id = ?2 AND \(column) <> ''
        ON CONFLICT DO NOTHING
        """)
  }

  /// The same for all rows of a principal.
  static func words(_ column: String, of table: String, key: String = "principal_id") -> Query {
    Query(
      """
      INSERT INTO erased_word (principal_id, word)
      SELECT ?1, CAST(\(column) AS BLOB) FROM \(table) WHERE \(key) = ?1 AND \(column) <> ''
      ON CONFLICT DO NOTHING
      """,
      postgreSQL: """
        INSERT INTO erased_word (principal_id, word)
        SELECT ?1, convert_to(\(column), 'UTF8') FROM \(table)
        WHERE \(key) = ?1 AND \(column) <> ''
        ON CONFLICT DO NOTHING
        """)
  }

  private static let equipment = [
    equipment(20, deleted: "IS NULL"), equipment(21, deleted: "IS NOT NULL"),
  ]

  /// Each half of the items has its own index.
  private static func equipment(_ number: Int64, deleted condition: String) -> ErasureStep {
    let fields = EquipmentKind.all.map { Query("DELETE FROM \($0.name) WHERE id = ?2") }
    let rows = Query(
      """
      SELECT id FROM equipment WHERE principal_id = ?1 AND id > ?2 AND deleted_at_ms \(condition)
      ORDER BY id LIMIT ?3
      """)
    let count = Query(
      """
      UPDATE equipment_count SET
        active = active - (
          SELECT CASE WHEN archived = 0 AND deleted_at_ms IS NULL THEN 1 ELSE 0 END
          FROM equipment WHERE id = ?2),
        archived = archived - (
          SELECT CASE WHEN archived <> 0 AND deleted_at_ms IS NULL THEN 1 ELSE 0 END
          FROM equipment WHERE id = ?2)
      WHERE principal_id = ?1 AND type = (SELECT type FROM equipment WHERE id = ?2)
      """)
    let row = Query("DELETE FROM equipment WHERE id = ?2 AND principal_id = ?1")
    return .rows(
      number, rows, noting: .equipment, [clientObject("equipment"), count] + fields + [row])
  }

  /// The id of a version is `setup_id * 4096 + version`; the number of versions is limited.
  private static let setups: [ErasureStep] = [
    .rows(
      30,
      Query(
        joiningInOrder: """
          SELECT v.setup_id * 4096 + v.version FROM bow_setup s
          CROSS JOIN bow_setup_version v ON v.setup_id = s.id
          WHERE s.principal_id = ?1 AND s.id >= ?2 / 4096 AND v.setup_id * 4096 + v.version > ?2
          ORDER BY s.id, v.version LIMIT ?3
          """),
      [
        Query(
          """
          DELETE FROM bow_setup_component
          WHERE setup_id = ?2 / 4096 AND version = ?2 % 4096
          """),
        Query(
          """
          DELETE FROM bow_setup_version
          WHERE setup_id = ?2 / 4096 AND version = ?2 % 4096
          """),
      ]),
    .rows(
      31,
      Query(
        "SELECT id FROM bow_setup WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
      [
        clientObject("bow_setup"),
        Query(
          """
          UPDATE bow_setup_count SET
            active = active - (SELECT is_active FROM bow_setup WHERE id = ?2),
            inactive = inactive - (SELECT 1 - is_active FROM bow_setup WHERE id = ?2)
          WHERE principal_id = ?1
          """),
        Query("DELETE FROM bow_setup WHERE id = ?2 AND principal_id = ?1"),
      ]),
    .rows(
      32,
      Query(
        "SELECT id FROM sight_mark WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
      [
        clientObject("sight_mark"),
        Query("DELETE FROM sight_mark WHERE id = ?2 AND principal_id = ?1"),
      ]),
  ]

  /// The sets of a series have no text; they are hidden from readers and removed in slices later.
  private static let logbook: [ErasureStep] = [
    .rows(
      38,
      Query(
        joiningInOrder: """
          SELECT e.id FROM weight_import i
          CROSS JOIN weight_import_entry e ON e.import_id = i.id
          WHERE i.principal_id = ?1 LIMIT ?3
          """),
      [Query("DELETE FROM weight_import_entry WHERE id = ?2")]),
    .limited(
      39,
      Query(
        """
        DELETE FROM weight_import WHERE id IN (
          SELECT id FROM weight_import WHERE principal_id = ?1 LIMIT ?2)
        """)),
    .rows(
      40,
      Query(
        "SELECT id FROM weight_entry WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
      [
        clientObject("weight_entry"),
        Query(
          "UPDATE weight_entry_count SET entries = entries - 1 WHERE principal_id = ?1 AND ?2 >= 0"
        ),
        Query("DELETE FROM weight_entry WHERE id = ?2 AND principal_id = ?1"),
      ]),
    .rows(
      41,
      Query(
        joiningInOrder: """
          SELECT l.id FROM lift_series s
          CROSS JOIN lift_set l ON l.series_id = s.id AND l.client_id IS NOT NULL
          WHERE s.principal_id = ?1 LIMIT ?3
          """),
      [
        clientObject("lift_set"),
        Query("UPDATE lift_set SET client_id = NULL WHERE id = ?2"),
      ]),
    .rows(
      42,
      Query(
        "SELECT id FROM lift_series WHERE principal_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
      [
        Query(
          """
          UPDATE lift_set_count SET sets = sets - (
            SELECT CASE import_id WHEN 0 THEN set_count ELSE 0 END FROM lift_series WHERE id = ?2)
          WHERE principal_id = ?1
          """),
        Query("INSERT INTO lift_garbage (series_id) VALUES (?2) ON CONFLICT DO NOTHING"),
        Query("DELETE FROM lift_series WHERE id = ?2 AND principal_id = ?1"),
      ]),
    .rows(
      43,
      Query("SELECT id FROM exercise WHERE principal_id = ?1 LIMIT ?3"),
      [Query("DELETE FROM exercise WHERE id = ?2 AND principal_id = ?1")]),
  ]

  private static let counts: [ErasureStep] = [
    count(44, "equipment_count"), count(45, "bow_setup_count"), count(46, "weight_entry_count"),
    count(47, "lift_set_count"),
  ]

  private static func count(_ number: Int64, _ table: String) -> ErasureStep {
    .limited(number, Query("DELETE FROM \(table) WHERE principal_id = ?1 AND ?2 >= 0"))
  }
}
