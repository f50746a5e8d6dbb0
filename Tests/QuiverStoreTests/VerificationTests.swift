import QuiverRules
import QuiverSQLite
import QuiverStore
import Testing

@Suite struct VerificationTests {
  @Test("a store that was used has nothing to find")
  func nothingToFind() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    try use(store)
    #expect(try store.verify().isEmpty)
    #expect(try TemporaryDirectory().open().verify().isEmpty)
  }

  @Test(
    "what was changed behind the store's back is found and named",
    arguments: [
      (
        "UPDATE audit SET reason = 'another' WHERE sequence = 3", VerifyFinding.Subject.audit,
        "line 3"
      ),
      ("UPDATE audit SET at_ms = at_ms + 1 WHERE sequence = 1", .audit, "line 1"),
      ("UPDATE audit SET hash = zeroblob(32) WHERE sequence = 5", .audit, "line 5"),
      ("DELETE FROM audit WHERE sequence = 2", .audit, "lines 2 to 2 are missing"),
      ("DELETE FROM audit WHERE sequence = 1", .audit, "lines 1 to 1 are missing"),
      ("DELETE FROM journal WHERE sequence = 4", .journal, "rows 4 to 4 are missing"),
      ("UPDATE journal SET at_ms = 1 WHERE sequence = 6", .journal, "row 6 is older"),
      ("UPDATE journal SET change = 9 WHERE sequence = 6", .journal, "row 6 holds"),
      (
        "UPDATE idempotency_key SET key = x'00' WHERE sequence = 2", .idempotencyKeys, "row 2 holds"
      ),
      ("DELETE FROM equipment WHERE id = 2", .counts, "principal 1 has 4 pieces"),
      ("UPDATE equipment_count SET archived = 7", .counts, "where 5 and 7 are kept"),
      ("UPDATE equipment SET archived = 1 WHERE id = 3", .counts, "4 pieces of type 1 and 1"),
      ("DELETE FROM equipment_count", .counts, "where 0 and 0 are kept"),
      ("INSERT INTO equipment_count VALUES (9, 1, 1, 0)", .counts, "principal 9 has 0 pieces"),
      ("UPDATE bow_setup_count SET inactive = 3", .counts, "1 active bow setups and 0 others"),
      ("INSERT INTO bow_setup_count VALUES (9, 1, 0)", .counts, "principal 9 has 0 active"),
      (
        "UPDATE equipment SET setup_use_count = 2 WHERE id = 1", .counts,
        "piece 1 is held by 1 bow setups, where 2 are kept"
      ),
    ])
  func changed(script: String, subject: VerifyFinding.Subject, text: String) throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    try use(store)
    store.close()
    try Connection(path: directory.databasePath, mode: .readWrite).execute(script)
    let findings = try directory.open().verify()
    #expect(findings.contains { $0.subject == subject && $0.message.contains(text) }, "\(findings)")
    #expect(findings.allSatisfy { $0.subject == subject })
  }

  @Test("long tables are read in slices, and many findings are cut short")
  func slices() throws {
    let directory = try TemporaryDirectory()
    let count = Int(StoreLimits.verifiedRowsPerSlice) * 2 + 10
    try directory.fill(pieces: count)
    #expect(try directory.open().verify().isEmpty)
    try Connection(path: directory.databasePath, mode: .readWrite)
      .execute("UPDATE journal SET change = 0 WHERE sequence > 2100")
    let findings = try directory.open().verify()
    #expect(findings.count == StoreLimits.findingsPerCheck)
    #expect(findings.first?.message.contains("row 2101") == true)
  }

  /// Five pieces with keys, five lines of audit, and a setup of one piece with what is left of
  /// another.
  private func use(_ store: Store) throws {
    for number in UInt8(1)...5 {
      let target = RecordingTarget(expecting: 1)
      store.submit(
        try CreateEquipment(.riser()), .of(1, key: [UInt8](repeating: number, count: 16)),
        target: target, encode: { _ in [] }, completion: { _ in })
      target.wait()
      _ = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    }
    var draft = BowSetupDraft()
    draft.components = [.init(.id(1))]
    let setup = try store.perform(CreateBowSetup(draft), .of(1))
    let sight = try store.perform(CreateEquipment(.example(.sight)), .of(1))
    _ = try store.perform(AddSetupComponent(.init(.id(sight.id)), to: .id(setup.id)), .of(1))
    try store.perform(DeleteEquipment(.sight, .id(sight.id), detaches: true), .of(1))
  }
}
