import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct VerificationTests {
  @Test("Verification has no findings in an intact store")
  func nothingToFind() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    try use(store)
    #expect(try store.verify().isEmpty)
    #expect(try TemporaryDirectory().open().verify().isEmpty)
  }

  @Test(
    "Verification finds and names each manipulated row",
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
      ("UPDATE journal SET change = 9 WHERE sequence = 6", .journal, "row 6 has content"),
      (
        "UPDATE idempotency_key SET key = x'00' WHERE sequence = 2", .idempotencyKeys,
        "row 2 has content"
      ),
      ("DELETE FROM equipment WHERE id = 2", .counts, "principal 1 has 4 items"),
      ("UPDATE equipment_count SET archived = 7", .counts, "where 5 and 7 are kept"),
      ("UPDATE equipment SET archived = 1 WHERE id = 3", .counts, "4 items of type 1 and 1"),
      ("DELETE FROM equipment_count", .counts, "where 0 and 0 are kept"),
      ("INSERT INTO equipment_count VALUES (9, 1, 1, 0)", .counts, "principal 9 has 0 items"),
      ("UPDATE bow_setup_count SET inactive = 3", .counts, "1 active bow setups and 0 others"),
      ("INSERT INTO bow_setup_count VALUES (9, 1, 0)", .counts, "principal 9 has 0 active"),
      (
        "UPDATE equipment SET setup_use_count = 2 WHERE id = 1", .counts,
        "item 1 is held by 1 bow setups, where 2 are kept"
      ),
      ("UPDATE lift_series SET set_count = 9", .logbook, "has 3 sets, where 9 are kept"),
      ("UPDATE lift_series SET record_id = 2", .logbook, "another record"),
      ("UPDATE lift_series SET record_id = NULL", .logbook, "another record"),
      ("UPDATE lift_series SET confident_record_id = 3", .logbook, "another record"),
      ("DELETE FROM lift_set WHERE id = 1", .logbook, "has 2 sets, where 3 are kept"),
      ("UPDATE lift_set SET one_rep_max_lb = 99 WHERE id = 2", .logbook, "set 2 has another"),
      ("UPDATE lift_set SET weight = 99 WHERE id = 1", .logbook, "set 1 has another"),
      ("UPDATE lift_set SET series_id = 7 WHERE id = 1", .logbook, "series 7, which is gone"),
      ("UPDATE lift_set_count SET sets = 4", .logbook, "has 3 sets, where 4 are kept"),
      ("DELETE FROM weight_entry", .logbook, "has 0 weight entries, where 1 are kept"),
      (
        "INSERT INTO weight_entry_count VALUES (9, 2)", .logbook,
        "principal 9 has 0 weight entries, where 2 are kept"
      ),
      ("DELETE FROM weight_entry_count", .logbook, "has 1 weight entries, where 0 are kept"),
      ("INSERT INTO lift_set_count VALUES (9, 1)", .logbook, "principal 9 has 0 sets, where 1"),
      ("DELETE FROM lift_set_count", .logbook, "principal 1 has 3 sets, where 0 are kept"),
      ("UPDATE round SET first_shot_ms = NULL", .logbook, "round 1 is older than its first"),
      (
        "UPDATE round SET first_shot_ms = first_shot_ms - 86400000", .logbook,
        "round 1 has another first arrow"
      ),
      ("UPDATE participant SET total = 8", .counts, "participant 1 has 9 and 0 X"),
      ("UPDATE participant SET n9 = 0, n1 = 1", .counts, "other counts that differ"),
      ("UPDATE participant SET n11 = 1", .counts, "other counts that differ"),
      ("UPDATE participant SET gold_count = 1", .counts, "other counts that differ"),
      ("UPDATE participant SET ends_completed = 1", .counts, "other counts that differ"),
      ("UPDATE participant SET next_end = 2", .counts, "open end 0, where 2"),
      (
        "UPDATE scoring_count SET sessions = 3", .counts, "1 sessions and 0 tournaments, where 0, 3"
      ),
      ("UPDATE participant SET operation_count = 70", .counts, "operations, where 70 are kept"),
      ("UPDATE usage SET rows = 99 WHERE principal_id = 1", .usage, "not 99 of"),
      ("UPDATE usage SET bytes = 1 WHERE principal_id = 1", .usage, "principal 1 has"),
      ("UPDATE usage SET key_bytes = 9 WHERE principal_id = 1", .usage, "5 idempotency keys of"),
      ("UPDATE kept_key SET keys = 7", .usage, "there are 5 idempotency keys of"),
      ("DELETE FROM usage WHERE principal_id = 1", .usage, "not 0 of 0"),
      ("INSERT INTO usage (principal_id, rows) VALUES (9, 2)", .usage, "principal 9 has 0 rows"),
      ("UPDATE scoring_operation SET value = 8", .counts, "that its operations do not give"),
      ("UPDATE scored_arrow SET operation_id = 7", .counts, "that its operations do not give"),
      ("DELETE FROM scoring_operation", .counts, "where its operations give 0"),
      (
        "UPDATE scored_arrow SET scored_at_ms = scored_at_ms - 1 WHERE end_index = 0", .logbook,
        "round 1 is older than its first"
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
    // Without operations the first arrow of a round is another one too.
    let isWithout = script == "DELETE FROM scoring_operation"
    #expect(findings.allSatisfy { $0.subject == subject || isWithout && $0.subject == .logbook })
  }

  @Test(
    "A dropped or changed table, index or trigger is found at the start",
    arguments: [
      ("DROP INDEX equipment_by_type", "index equipment_by_type is missing"),
      ("DROP TRIGGER round_to_no_rollup", "trigger round_to_no_rollup is missing"),
      ("DROP TABLE lift_garbage", "table lift_garbage is missing"),
      ("DROP TABLE meta", "table meta is missing"),
      ("ALTER TABLE meta RENAME COLUMN value TO content", "table meta was changed"),
      ("ALTER TABLE preference ADD COLUMN more TEXT", "table preference was changed"),
    ])
  func drift(script: String, text: String) throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    try Connection(path: directory.databasePath, mode: .readWrite).execute(script)
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .dataLoss && error?.message.contains(text) == true)
  }

  @Test("A trigger that is dropped while the store is open is found by verify")
  func driftWhileOpen() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    try Connection(path: directory.databasePath, mode: .readWrite)
      .execute("DROP TRIGGER round_to_no_rollup")
    #expect(
      try store.verify()
        == [VerifyFinding(.schema, "the trigger round_to_no_rollup is missing")])
  }

  @Test("Long tables are read in slices, and the number of findings is limited")
  func slices() throws {
    let directory = try TemporaryDirectory()
    let count = Int(StoreLimits.verifiedRowsPerSlice) * 2 + 10
    try directory.fill(items: count)
    #expect(try directory.open().verify().isEmpty)
    try Connection(path: directory.databasePath, mode: .readWrite)
      .execute("UPDATE journal SET change = 0 WHERE sequence > 2100")
    let findings = try directory.open().verify()
    #expect(findings.count == StoreLimits.findingsPerCheck)
    #expect(findings.first?.message.contains("row 2101") == true)
  }

  /// Five items with keys, five lines of audit, and a setup of one item with what is left of
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
    try log(store)
  }

  /// Three sets, the third of low confidence and the heaviest; a weight entry; an arrow.
  private func log(_ store: Store) throws {
    for (repetitions, weight) in [(5, 100), (6, 110), (20, 120)] as [(Int32, Double)] {
      let set = LiftSet(
        day: 7, exercise: try #require(ExerciseName("Squat")), repetitions: repetitions,
        weight: weight, unit: .kilogram)
      _ = try store.perform(CreateLiftSet(set), .of(1))
    }
    var entry = WeightEntryDraft()
    (entry.day, entry.thousandths, entry.unit) = (7, 80_000, .kilogram)
    _ = try store.perform(CreateWeightEntry(entry), .of(1))
    let session = try store.perform(CreateSession(.init(.codename("wa18"))), .of(1))
    let participant = try #require(session.rounds.first?.participant.id)
    var arrow = OperationDraft.Content(.id(participant))
    arrow.value = 9
    _ = try store.perform(RecordArrows(OperationDraft(arrow, path: "operation.")), .of(1))
  }
}
