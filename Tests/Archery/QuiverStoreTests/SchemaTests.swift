import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SchemaTests {
  @Test("Each type's table has the columns of its kind", arguments: EquipmentType.allCases)
  func columns(type: EquipmentType) throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    let kind = EquipmentKind.of(type)
    let statement = try connection.prepare(
      "SELECT name, type FROM pragma_table_info('\(kind.name)')")
    var columns: [String: String] = [:]
    while try statement.step() { columns[statement.text(0)] = statement.text(1) }
    #expect(columns.removeValue(forKey: "id") == "INTEGER")
    var expected: [String: String] = [:]
    for field in kind.ownFields {
      expected[field.name] =
        switch field.content {
        case .text: "TEXT"
        case .real: "REAL"
        case .integer, .enumeration, .day: "INTEGER"
        }
    }
    #expect(columns == expected)
  }

  @Test("The database has a write-ahead log, full synchronization and the application id")
  func pragmas() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    #expect(try connection.value("PRAGMA journal_mode") == "wal")
    #expect(try connection.value("PRAGMA application_id") == "\(0x5156_4552)")
    #expect(try connection.value("PRAGMA user_version") != "0")
    #expect(try connection.value("PRAGMA integrity_check") == "ok")
    store.close()
  }

  @Test("The limits are consistent with each other")
  func limits() {
    #expect(StoreLimits.commandsPerBatch < StoreLimits.queuedCommands)
    #expect(StoreLimits.idleCheckpointByteCount < StoreLimits.forcedCheckpointByteCount)
    #expect(StoreLimits.expiredRowsPerSlice > Int64(StoreLimits.commandsPerExpiry))
    #expect(StoreLimits.defaultPageSize <= StoreLimits.maximumPageSize)
    #expect(StoreLimits.commandsPerBatch <= StoreLimits.commandsPerExpiry)
  }
}
