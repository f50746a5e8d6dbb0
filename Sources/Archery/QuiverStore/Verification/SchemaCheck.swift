import QuiverSQLite

/// Compares the tables, indexes and triggers of a database with those that the migrations make.
///
/// A missing index no longer keeps names unique, and a missing trigger lets copies grow stale, both
/// without an error.
enum SchemaCheck {
  /// One table, index or trigger.
  private struct Object: Hashable {
    let type: String
    let name: String
    let sql: String
  }

  private static let objects = Query(
    onlySQLite: """
      SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name
      """)

  /// What the migrations make, from a database in memory.
  private static func expected() throws(StoreError) -> [Object] {
    do throws(SQLiteError) {
      let connection = try Connection(path: ":memory:", mode: .readWriteCreate)
      for migration in Migration.all { try connection.execute(migration.script) }
      return try objects(in: Session(connection))
    } catch {
      throw StoreError(error)
    }
  }

  private static func objects(in session: Session) throws(SQLiteError) -> [Object] {
    var found: [Object] = []
    do throws(StoreError) {
      try session.forEach(objects, []) { row in
        found.append(Object(type: row.text(0), name: row.text(1), sql: row.text(2)))
      }
    } catch {
      throw session.takeFailure() ?? SQLiteError(code: .error, message: error.message)
    }
    return found
  }

  /// What is missing or different; more objects than the migrations make are no finding.
  static func findings(in session: Session) throws(StoreError) -> [String] {
    let found: [Object]
    do throws(SQLiteError) {
      found = try objects(in: session)
    } catch {
      throw StoreError(error)
    }
    let present = Set(found)
    let names = Set(found.map { $0.type + " " + $0.name })
    return try expected().filter { !present.contains($0) }.map { object in
      let name = object.type + " " + object.name
      return names.contains(name) ? "the \(name) was changed" : "the \(name) is missing"
    }
  }

  /// Refuses a database whose schema has drifted.
  static func run(_ connection: Connection, path: String) throws(StoreError) {
    if let finding = try findings(in: Session(connection)).first {
      throw Database.damage(path, finding)
    }
  }

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    try readers.verify { (snapshot) throws(StoreError) in
      try findings(in: snapshot.session).map { VerifyFinding(.schema, $0) }
    }
  }
}
