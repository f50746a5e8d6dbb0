import QuiverCrypto
import QuiverSQLite

/// Compares the tables, indexes and triggers of a database with those that the migrations make.
///
/// A missing index no longer keeps names unique, and a missing trigger lets copies grow stale, both
/// without an error.
enum SchemaCheck {
  /// One table, index or trigger.
  private struct Object {
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
  private static let expected = Result { () throws(StoreError) -> [Object] in
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

  /// The text of a statement without the white space that means nothing: SQLite keeps the layout of
  /// each statement, and a column that a step has added stands on the line of the one before it.
  static func withoutLayout(_ sql: String) -> String {
    var text: [UInt8] = []
    var quote: UInt8?
    var hasSpace = false
    for byte in sql.utf8 {
      if quote == nil, [0x09, 0x0A, 0x0D, 0x20].contains(byte) {
        hasSpace = true
        continue
      }
      if hasSpace, let last = text.last, !separators.contains(last), !separators.contains(byte) {
        text.append(0x20)
      }
      hasSpace = false
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// What separates words without a space: `(`, `)`, `,` and `;`.
  private static let separators: Set<UInt8> = [0x28, 0x29, 0x2C, 0x3B]

  /// What is missing or different; more objects than the migrations make are no finding.
  static func findings(in session: Session) throws(StoreError) -> [String] {
    let found: [Object]
    do throws(SQLiteError) {
      found = try objects(in: session)
    } catch {
      throw StoreError(error)
    }
    let present = Dictionary(
      found.map { ($0.type + " " + $0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
    return try expected.get().compactMap { object in
      let name = object.type + " " + object.name
      guard let sql = present[name] else { return "the \(name) is missing" }
      if sql == object.sql || withoutLayout(sql) == withoutLayout(object.sql) { return nil }
      return "the \(name) was changed"
    }
  }

  /// Refuses a database whose schema has drifted.
  ///
  /// What the migrations make takes longer than the rest of a start to find out. A schema without
  /// findings is therefore remembered by its hash, together with the migrations that it was
  /// compared with.
  static func run(_ session: Session, path: String) throws(StoreError) {
    let hash = try hash(of: session)
    guard try remembered(in: session) != hash else { return }
    if let finding = try findings(in: session).first { throw Database.damage(path, finding) }
    // On a full disk, the next start compares again.
    do throws(StoreError) {
      try session.run(remember, [.blob(hash)])
    } catch {
      guard error.isDiskFull else { throw error }
      _ = session.takeFailure()
    }
  }

  /// The hash of the schema that was compared; nil if there is none, or its table is not as it was
  /// made, which the comparison finds.
  private static func remembered(in session: Session) throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try session.first(compared, []) { row in row.bytes(0) }
    } catch {
      guard session.failure?.code == .error else { throw error }
      _ = session.takeFailure()
      return nil
    }
  }

  private static let compared = Query(
    onlySQLite: "SELECT value FROM meta WHERE name = 'compared_schema'")
  private static let remember = Query(
    onlySQLite: """
      INSERT INTO meta VALUES ('compared_schema', ?1)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """)

  /// SHA-256 of the tables, indexes and triggers of a database and of this program's migrations.
  private static func hash(of session: Session) throws(StoreError) -> [UInt8] {
    var encoding = CanonicalBytes()
    for migration in Migration.all { encoding.append(.blob(migration.checksum)) }
    try session.forEach(objects, []) { row in
      for column in 0..<Int32(3) { encoding.append(.text(row.text(column))) }
    }
    return SHA256.hash(encoding.bytes)
  }

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    try readers.verify { (snapshot) throws(StoreError) in
      try findings(in: snapshot.session).map { VerifyFinding(.schema, $0) }
    }
  }
}
