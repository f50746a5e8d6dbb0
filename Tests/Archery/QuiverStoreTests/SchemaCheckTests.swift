import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The comparison of the schema at the start", .timeLimit(.minutes(5)))
struct SchemaCheckTests {
  private static let compared = "SELECT hex(value) FROM meta WHERE name = 'compared_schema'"

  private static func value(_ script: String, in directory: TemporaryDirectory) throws -> String? {
    try Connection(path: directory.databasePath, mode: .readWrite).value(script)
  }

  @Test("A schema without findings is remembered, and one that changed later is refused")
  func remembered() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let hash = try #require(try Self.value(Self.compared, in: directory))
    #expect(hash.count == 64)
    try directory.open().close()
    #expect(try Self.value(Self.compared, in: directory) == hash)
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    try connection.execute("DROP INDEX equipment_by_type")
    connection.close()
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.message.contains("index equipment_by_type is missing") == true)
  }

  @Test("A hash of another program version is compared again and replaced")
  func replaced() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let hash = try #require(try Self.value(Self.compared, in: directory))
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    try connection.execute("UPDATE meta SET value = x'00' WHERE name = 'compared_schema'")
    connection.close()
    try directory.open().close()
    #expect(try Self.value(Self.compared, in: directory) == hash)
  }
}
