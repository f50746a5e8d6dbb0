import Foundation
import QuiverSQLite
import TestSupport
import Testing

@Suite("Deleted content", .timeLimit(.minutes(5)))
struct ErasedPageTests {
  @Test("No page of the file has bytes of deleted rows after a checkpoint", arguments: 1...3)
  func erased(seed: UInt64) throws {
    let file = try TemporaryDatabase()
    let connection = try file.open(.readWriteCreate)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON;
      CREATE TABLE entry (id INTEGER PRIMARY KEY, owner INTEGER, name TEXT, note TEXT);
      CREATE INDEX entry_by_name ON entry (owner, name);
      CREATE TABLE pair (owner INTEGER, key TEXT, value TEXT, PRIMARY KEY (owner, key))
        WITHOUT ROWID;
      """)
    var random = SeededGenerator(seed: seed)
    try connection.execute("BEGIN")
    for number in 0..<20_000 {
      let owner = random.next() % 4
      let length = [0, 5, 50, 300, number % 50 == 0 ? 6_000 : 7].randomElement(using: &random) ?? 0
      let note =
        (owner == 1 ? "GONE" : "KEPT") + String(random.next(), radix: 16)
        + String(repeating: "z", count: length)
      try connection.execute(
        """
        INSERT INTO entry (owner, name, note) VALUES (\(owner), '\(note.prefix(60))', '\(note)');
        INSERT OR REPLACE INTO pair VALUES (\(owner), '\(note.prefix(40))', '\(note)');
        """)
      if number % 3 == 0 {
        try connection.execute(
          """
          UPDATE entry SET note = substr(note, 1, 30) || 'u', name = name || 'u'
          WHERE id = \(1 + random.next() % UInt64(number + 1))
          """)
      }
    }
    try connection.execute("COMMIT")
    while try connection.value("SELECT 1 FROM entry WHERE owner = 1") != nil {
      try connection.execute(
        """
        DELETE FROM entry WHERE id IN (SELECT id FROM entry WHERE owner = 1 LIMIT 300);
        DELETE FROM pair WHERE owner = 1
          AND key IN (SELECT key FROM pair WHERE owner = 1 LIMIT 300);
        """)
    }
    try connection.execute("DELETE FROM pair WHERE owner = 1")
    #expect(try !connection.checkpoint(.truncate).wasBusy)
    let bytes = try Data(contentsOf: URL(filePath: file.path))
    #expect(bytes.range(of: Data("KEPT".utf8)) != nil)
    #expect(bytes.range(of: Data("GONE".utf8)) == nil)
    #expect(try connection.value("PRAGMA integrity_check") == "ok")
    connection.close()
  }
}
