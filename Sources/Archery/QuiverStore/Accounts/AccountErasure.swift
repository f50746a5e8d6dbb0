import QuiverRules

/// The steps that erase a deleted account, in order. Each is done in slices, one a command.
///
/// The number of the current step and its position are stored, so that a start continues where the
/// last process ended. Scores stay, under neutral names, since leaderboards depend on them. A test
/// compares the texts that remain with all columns of the schema.
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
  /// All steps by their numbers: what others see first, then what only the principal saw. Most are
  /// declared with their tables.
  static let all = (written + Table.all.flatMap(\.erasureSteps)).sorted { $0.number < $1.number }

  /// The steps that are not like others.
  private static let written: [ErasureStep] = [
    ErasureStep(number: 1, slice: LeftTournaments.slice),
    ErasureStep(number: 2, slice: ErasedParticipants.slice),
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
        SELECT a.sequence FROM audit a WHERE a.sequence > ?2 AND a.sequence <= ?3
          AND (a.actor_id = ?1 OR \(AuditedTexts.isOwn)
            OR (a.reason <> '' AND \(AuditedTexts.isAbout)))
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
    .rows(
      10,
      Query(
        """
        SELECT id FROM acting_grant WHERE (service_id = ?1 OR user_id = ?1) AND id > ?2
        ORDER BY id LIMIT ?3
        """), [Query("DELETE FROM acting_grant WHERE id = ?2")]),
    // The id of a version is `setup_id * 4096 + version`; the number of versions is limited.
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
      38,
      Query(
        joiningInOrder: """
          SELECT e.id FROM weight_import i
          CROSS JOIN weight_import_entry e ON e.import_id = i.id
          WHERE i.principal_id = ?1 LIMIT ?3
          """),
      [Query("DELETE FROM weight_import_entry WHERE id = ?2")]),
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
    // Typed totals of the cards of the principal and its guests; who typed them has step 48.
    .rows(
      49,
      Query(
        joiningInOrder: """
          SELECT y.id FROM participant p CROSS JOIN typed_total y ON y.participant_id = p.id
          WHERE p.principal_id = ?1 AND p.kind <> \(ParticipantRecord.Kind.entry.rawValue)
            AND (y.paper <> '' OR y.reason <> '') LIMIT ?3
          """),
      [
        word("paper", "typed_total"), word("reason", "typed_total"),
        Query("UPDATE typed_total SET paper = '', reason = '' WHERE id = ?2"),
      ]),
    // After all steps that keep words; it was 50 before there were devices.
    ErasureStep(number: 997, slice: ErasedReplies.slice),
  ]

  /// Frees the client_id of a row that is erased.
  static func clientObject(_ table: String) -> Query {
    Query(
      """
      DELETE FROM client_object WHERE principal_id = ?1 AND client_id = (
        SELECT client_id FROM \(table) WHERE id = ?2)
      """)
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
}
