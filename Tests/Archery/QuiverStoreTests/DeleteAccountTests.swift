import Foundation
import QuiverRules
import QuiverSQLite
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct DeleteAccountTests {
  @Test("Deleting an account leaves nothing of the principal in any table or file")
  func erased() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try FullAccount(in: store, mark: "KEPTTEXT")
    let robin = try FullAccount(in: store, mark: "GONETEXT")
    let before = try Self.places(of: "GONETEXT", in: directory)
    #expect(
      before.isSuperset(of: [
        "principal", "token", "preference", "equipment", "riser", "arrow", "bow_setup",
        "sight_mark", "idempotency_key", "participant", "round_format", "shooting_session",
        "scoring_operation", "weight_entry", "exercise",
      ]))
    try store.perform(DeleteAccount(confirmation: "GONETEXT Robin"), .of(robin.principal))
    try store.awaitErasure()
    #expect(try Self.places(of: "GONETEXT", in: directory) == [])
    #expect(try Self.places(of: "KEPTTEXT", in: directory) == before)
    let findings = try store.verify()
    #expect(findings.isEmpty, "\(findings)")
    for table in try Self.tables(in: directory) where !Self.keeping.contains(table) {
      #expect(try Self.rows(of: robin.principal, in: table, directory) == 0, "\(table)")
    }
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    let hashes = try connection.value(
      """
      SELECT count(*) FROM client_object
      WHERE principal_id = \(robin.principal) AND length(content_hash) > 0
      """)
    #expect(hashes == "0")
    connection.close()
    #expect(try directory.keeps(["GONETEXT", "gonetext"]) == [])
    store.close()
    #expect(try directory.keeps(["GONETEXT", "gonetext"]) == [])
    #expect(try directory.keeps(["KEPTTEXT"]).contains("copy: KEPTTEXT"))
  }

  /// Tables that may speak of a principal that is gone, by its id alone.
  private static let keeping: Set = [
    "principal", "token", "journal", "audit", "idempotency_key", "client_object", "participant",
    "round", "round_format", "shooting_session", "scoring_operation", "tournament",
    "usage", "account_erasure", "event_tie", "match_operation",
    "card_operation", "card_confirmation", "distance_confirmation",
  ]

  /// Tables without a word or a name of whom they belong to.
  private static let wordless: Set = [
    "format_pass", "scored_arrow", "status_change", "arrow_rollup", "event_stage", "event_entrant",
    "event_match", "match_card", "event_team_member", "event_card",
    "format_part", "event_round_place", "card_distance",
  ]

  @Test("The erasure of an account covers each table of the schema")
  func everyTable() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let ownerless: Set = [
      "meta", "migration", "invite", "sqlite_sequence", "store_time", "time_gap",
      "time_correction", "kept_key", "ended_permission", "server_presence",
    ]
    let kinds = Set(EquipmentKind.all.map(\.name))
    let erased: Set = [
      "equipment", "equipment_count", "preference", "bow_setup", "bow_setup_version",
      "bow_setup_component", "bow_setup_count", "sight_mark", "scoring_count",
      "tournament_scorer", "acting_grant", "weight_entry", "weight_entry_count",
      "weight_plan", "exercise", "lift_series", "lift_set", "lift_set_count", "lift_import",
      "lift_garbage", "certificate_binding", "weight_import", "weight_import_entry",
      "erased_event", "erased_word", "event_category", "event_entry", "event_official",
      "event_session", "event_team", "event_card_end",
      "event_lease", "event_notice", "event_pause", "event_device", "event_past_scorer",
      "target_call", "typed_total", "share_invite",
    ]
    let known = ownerless.union(kinds).union(erased).union(Self.keeping).union(Self.wordless)
    #expect(try Self.tables(in: directory).subtracting(known) == [])
  }

  @Test("Erasing removes a reply that a call of the deleted account has left in memory")
  func keptReplies() throws {
    let store = try TemporaryDirectory().open()
    let robin = try FullAccount(in: store, mark: "Sherwood")
    try store.perform(DeleteAccount(confirmation: "Sherwood Robin"), .of(robin.principal))
    let kept = store.keptReplies
    let request: [UInt8] = [1]
    let lookup = request.withUnsafeBytes { kept.find($0, method: 1, principal: robin.principal) }
    guard case .missing(let version) = lookup else {
      Issue.record("a reply is kept")
      return
    }
    kept.keep([7], to: request, method: 1, principal: robin.principal, version: version)
    _ = try store.perform(
      EraseAccount(principal: robin.principal, isLogEmpty: false), .of(robin.principal))
    #expect(kept.byteCount == 0)
  }

  @Test("Deleting an account ends its tokens, clears the caches and keeps its id")
  func ended() throws {
    let revoked = Mutex<[Int64]>([])
    let store = try TemporaryDirectory().open(
      hooks: StoreHooks(permissionsEnded: { changes in
        revoked.withLock { $0 += changes.tokenIDs }
      }))
    let robin = try FullAccount(in: store, mark: "Sherwood")
    let limbs = try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: robin.principal, EquipmentFilter(type: .limbs), pageSize: 0, pageToken: "")
    }.items
    let id = try #require(limbs.first?.id)
    _ = try store.equipment(.limbs, .id(id), principal: robin.principal)
    let secret = Array(robin.token.secret.utf8)
    #expect(try store.authenticate(secret) != nil)

    let deletion = DeleteAccount(confirmation: "Sherwood Robin")
    try store.perform(deletion, .of(robin.principal))
    let sequence = try store.read { (snapshot) throws(StoreError) in
      try snapshot.lastSequence()
    }
    try store.perform(deletion, .of(robin.principal))
    #expect(revoked.withLock { $0 } == [robin.token.record.id])
    #expect(try store.authenticate(secret) == nil)
    let gone = #expect(throws: StoreError.self) {
      try store.equipment(.limbs, .id(id), principal: robin.principal)
    }
    #expect(gone?.code == .notFound)
    try store.read { (snapshot) throws(StoreError) in
      let principal = try snapshot.principal(id: robin.principal)
      #expect(principal.deletedAtMilliseconds != nil && principal.displayName.isEmpty)
      #expect(try snapshot.lastSequence() == sequence)
      let token = try snapshot.token(id: robin.token.record.id)
      #expect(token.revokedAtMilliseconds != nil && token.label.isEmpty)
    }
    for refused in [
      #expect(throws: StoreError.self) {
        try store.perform(CreateEquipment(.riser()), .of(robin.principal))
      },
      #expect(throws: StoreError.self) {
        _ = try store.perform(SetPreference(key: "k", value: "v"), .of(robin.principal))
      },
    ] { #expect(refused?.code == .permissionDenied) }
    let token = #expect(throws: StoreError.self) {
      try store.perform(CreateToken(principal: robin.principal, label: ""), .of(0))
    }
    #expect(token?.code == .failedPrecondition)
    let enabling = #expect(throws: StoreError.self) {
      _ = try store.perform(SetPrincipalDisabled(id: robin.principal, isDisabled: false), .of(0))
    }
    #expect(enabling?.code == .failedPrecondition)
  }

  @Test(
    "Deleting requires the exact display name",
    arguments: ["", "sherwood Robin", "Sherwood Robin ", "Archer 1"])
  func confirmation(_ text: String) throws {
    let store = try TemporaryDirectory().open()
    let robin = try FullAccount(in: store, mark: "Sherwood")
    let before = try Self.export(of: robin.principal, store)
    let error = #expect(throws: StoreError.self) {
      try store.perform(DeleteAccount(confirmation: text), .of(robin.principal))
    }
    #expect(error?.code == .invalidArgument && error?.field == "confirmation")
    #expect(try Self.export(of: robin.principal, store) == before)
  }

  @Test("The last administrator and a disabled principal cannot delete their accounts")
  func refused() throws {
    let store = try TemporaryDirectory().open()
    let sheriff = try FullAccount(in: store, mark: "Sheriff", kind: .administrator)
    let deletion = DeleteAccount(confirmation: "Sheriff Robin")
    let last = #expect(throws: StoreError.self) {
      try store.perform(deletion, .of(sheriff.principal))
    }
    #expect(last?.code == .failedPrecondition)
    let john = try store.perform(
      CreatePrincipal(kind: .administrator, displayName: "John"), .of(0))
    _ = try store.perform(CreateToken(principal: john.id, label: ""), .of(0))
    _ = try store.perform(SetPrincipalDisabled(id: sheriff.principal, isDisabled: true), .of(0))
    let disabled = #expect(throws: StoreError.self) {
      try store.perform(deletion, .of(sheriff.principal))
    }
    #expect(disabled?.code == .permissionDenied)
    _ = try store.perform(SetPrincipalDisabled(id: sheriff.principal, isDisabled: false), .of(0))
    try store.perform(deletion, .of(sheriff.principal))
    let rest = #expect(throws: StoreError.self) {
      try store.perform(DeleteAccount(confirmation: "John"), .of(john.id))
    }
    #expect(rest?.code == .failedPrecondition)
  }

  /// How many records an export of the principal has.
  private static func export(of principal: Int64, _ store: Store) throws -> Int {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.export(principal: principal, pageSize: 500, pageToken: "").items.count
    }
  }

  private static func tables(in directory: TemporaryDirectory) throws -> Set<String> {
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    return Set(
      try strings("SELECT name FROM sqlite_schema WHERE type = 'table'", connection))
  }

  /// The tables any column of which holds the text.
  private static func places(
    of text: String, in directory: TemporaryDirectory
  ) throws -> Set<String> {
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    var found: Set<String> = []
    for table in try tables(in: directory) {
      for column in try strings("SELECT name FROM pragma_table_info('\(table)')", connection) {
        let count = try connection.value(
          """
          SELECT count(*) FROM \(table)
          WHERE instr(CAST("\(column)" AS BLOB), CAST('\(text)' AS BLOB)) > 0
          """)
        if count != "0" { found.insert(table) }
      }
    }
    return found
  }

  /// How many rows of a table belong to the principal; 0 where it has no such column.
  private static func rows(
    of principal: Int64, in table: String, _ directory: TemporaryDirectory
  ) throws -> Int {
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    let columns = try strings("SELECT name FROM pragma_table_info('\(table)')", connection)
    guard columns.contains("principal_id") else { return 0 }
    let count = try connection.value(
      "SELECT count(*) FROM \(table) WHERE principal_id = \(principal)")
    return Int(count ?? "") ?? -1
  }

  private static func strings(_ query: String, _ connection: Connection) throws -> [String] {
    let statement = try connection.prepare(query)
    var found: [String] = []
    while try statement.step() { found.append(statement.text(0)) }
    return found
  }
}
