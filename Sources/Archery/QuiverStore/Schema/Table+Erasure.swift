/// The rows of a deleted account in a table, and the step that erases them.
///
/// Their texts become what their columns say. Rows of which no column becomes anything are deleted.
/// Their client_ids are free again.
struct ErasedRows: Sendable {
  /// Stored: numbers never change their meaning.
  let number: Int64
  fileprivate let find: Find
  /// What other columns become.
  fileprivate var setting = ""
  /// Run before, with the principal and the id of each row.
  fileprivate var statements: [Query] = []
  fileprivate var noting: ObjectKind?

  fileprivate enum Find: Sendable {
    case owned(by: String, String)
    case searched(by: String, String)
    case ofErasedEvents
    case limited(by: String, key: String, String)
  }

  /// Rows that a column assigns to the principal, in the order of their ids.
  static func owned(
    _ number: Int64, by owner: String = "principal_id", where condition: String = "",
    setting: String = "", after statements: [Query] = [], noting: ObjectKind? = nil
  ) -> ErasedRows {
    ErasedRows(
      number: number, find: .owned(by: owner, condition), setting: setting,
      statements: statements, noting: noting)
  }

  /// The same in a table that has no index for it.
  static func searched(
    _ number: Int64, by owner: String = "principal_id", where condition: String = "",
    setting: String = ""
  ) -> ErasedRows {
    ErasedRows(number: number, find: .searched(by: owner, condition), setting: setting)
  }

  /// Rows of the events that the principal organised.
  static func ofErasedEvents(_ number: Int64, after statements: [Query] = []) -> ErasedRows {
    ErasedRows(number: number, find: .ofErasedEvents, statements: statements)
  }

  /// Rows that are changed by one statement, so many at once as an erasure may change; `key` is
  /// part of their primary key.
  static func limited(
    _ number: Int64, by owner: String = "principal_id", key: String, where condition: String = ""
  ) -> ErasedRows {
    ErasedRows(number: number, find: .limited(by: owner, key: key, condition))
  }
}

extension Table {
  /// The steps that erase an account in this table.
  var erasureSteps: [ErasureStep] { erasures.map(step) }

  private func step(_ rows: ErasedRows) -> ErasureStep {
    switch rows.find {
    case .owned(let owner, let condition):
      .rows(
        rows.number,
        Query(
          """
          SELECT id FROM \(name) WHERE \(owner) = ?1 AND id > ?2 \(condition)
          ORDER BY id LIMIT ?3
          """), noting: rows.noting, statements(rows))
    case .searched(let owner, let condition):
      .search(
        rows.number, next: Query("SELECT id FROM \(name) WHERE id > ?1 ORDER BY id LIMIT 1"),
        Query(
          """
          SELECT id FROM \(name) WHERE id > ?2 AND id <= ?3 AND \(owner) = ?1 \(condition)
          """), statements(rows))
    case .ofErasedEvents:
      .rows(
        rows.number,
        Query(
          """
          SELECT r.id FROM \(name) r JOIN erased_event e ON e.session_id = r.event_id
          WHERE e.principal_id = ?1 AND r.id > ?2 ORDER BY r.id LIMIT ?3
          """), statements(rows))
    case .limited(let owner, let key, let condition):
      .limited(
        rows.number,
        Query(
          """
          \(change(rows)) WHERE \(owner) = ?1 \(condition) AND \(key) IN (
            SELECT \(key) FROM \(name) WHERE \(owner) = ?1 \(condition) LIMIT ?2)
          """))
    }
  }

  private func statements(_ rows: ErasedRows) -> [Query] {
    let words = columns.compactMap { column in
      switch column.erasure {
      case .shared, .sharedRow: ErasureStep.word(column.name, name)
      case .value, .withRow, .none: nil
      }
    }
    let clientIDs = hasClientIDs ? [ErasureStep.clientObject(name)] : []
    return words + clientIDs + rows.statements + [Query("\(change(rows)) WHERE id = ?2")]
  }

  private var hasClientIDs: Bool { columns.contains { $0.name == "client_id" } }

  /// The change of the rows, without its condition.
  private func change(_ rows: ErasedRows) -> String {
    var values = columns.compactMap { column in
      switch column.erasure {
      case .value(let value), .shared(let value): "\(column.name) = \(value)"
      case .withRow, .sharedRow, .none: nil
      }
    }
    if !rows.setting.isEmpty { values.append(rows.setting) }
    guard !values.isEmpty else { return "DELETE FROM \(name)" }
    if hasClientIDs { values.append("client_id = NULL") }
    return "UPDATE \(name) SET \(values.joined(separator: ", "))"
  }
}
