import QuiverRules
import QuiverSQLite
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Texts with the character U+0000", .timeLimit(.minutes(5)))
struct ZeroCharacterTests {
  private static let text = "A\0B"

  @Test("Commands refuse them by the name of the field", arguments: BothEngines.allCases)
  func refused(engine: BothEngines) throws {
    try engine.withBench { bench in
      let text = Self.text
      let event = try bench.event().head.id
      let joinCode = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.tournamentHead(id: event)?.joinCode ?? ""
      }
      #expect(!joinCode.isEmpty)
      let invite = try bench.perform(try CreateInvite(label: "", uses: 1))
      let before = try bench.sequence()
      var change = UpdateProfile.Change()
      change.displayName = text
      let attempts: [(field: String, attempt: () throws -> Void)] = [
        ("profile.display_name", { _ = try bench.perform(UpdateProfile(revision: 1, change)) }),
        (
          "display_name",
          { _ = try bench.perform(CreatePrincipal(kind: .user, displayName: text)) }
        ),
        ("riser.brand", { _ = try bench.perform(try CreateEquipment(.riser(text))) }),
        ("preference.value", { _ = try bench.perform(try SetPreference(key: "k", value: text)) }),
        (
          "label",
          {
            _ = try bench.perform(
              try CreateToken(principal: bench.organiser, label: text, expiresAtMilliseconds: nil))
          }
        ),
        ("label", { _ = try bench.perform(try CreateInvite(label: text, uses: 1)) }),
        (
          "label",
          {
            _ = try bench.perform(
              BindCertificate(
                principal: bench.organiser, name: try CertificateName(.dns, "board.example"),
                label: text))
          }
        ),
        (
          "token_label",
          {
            _ = try bench.store.perform(
              try RedeemInvite(code: invite.code, displayName: "Robin", tokenLabel: text), .of(0))
          }
        ),
        ("name", { _ = try bench.perform(try AddGuest(name: text, clientID: [], to: event)) }),
        (
          "entries[0].name",
          {
            _ = try AddEntries.EntryDraft(name: text, clientID: [], scorer: 0, path: "entries[0].")
          }
        ),
        (
          "entries[0].name",
          {
            _ = try ImportEntries.Draft(
              name: text, clientID: [], EventEntryContent(), categoryCode: "", session: 0,
              path: "entries[0].")
          }
        ),
      ]
      for (field, attempt) in attempts {
        let refusal = bench.refusal { try attempt() }
        #expect(refusal?.code == .invalidArgument, "\(field)")
        #expect(refusal?.field == field, "\(field): \(refusal as Any)")
      }
      #expect(try bench.sequence() == before)
    }
  }

  /// Stores a text that nothing has checked.
  private struct StoreUnchecked: Command {
    let text: String

    private static let insert = Query(
      "INSERT INTO preference (principal_id, key, value, updated_at_ms) VALUES (?1, 'k', ?2, 1)")

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      try transaction.run(
        Self.insert, .integer(transaction.caller.principal), .text(text))
    }
  }

  @Test(
    "No statement stores one, whatever the command has checked", arguments: BothEngines.allCases)
  func unchecked(engine: BothEngines) throws {
    try engine.withBench { bench in
      let refusal = bench.refusal { try bench.perform(StoreUnchecked(text: Self.text)) }
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.contains("U+0000") == true)
      let organiser = bench.organiser
      let kept = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.preferences(principal: organiser)
      }
      #expect(kept.isEmpty)
      try bench.perform(StoreUnchecked(text: "A B"))
    }
  }

  @Test("A store of SQLite that has one is read and copied with a question mark instead")
  func copied() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)).id
    _ = try store.perform(try SetPreference(key: "k", value: "AXB"), .of(robin))
    store.close()
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    try connection.execute(
      """
      UPDATE preference SET value = 'A' || char(0) || 'B';
      UPDATE principal SET display_name = 'R' || char(0) WHERE id = \(robin);
      """)
    connection.close()
    func shown(_ store: Store) throws -> [String] {
      try store.read { (snapshot) throws(StoreError) in
        [
          try snapshot.principal(id: robin).displayName,
          try snapshot.preference(principal: robin, key: "k")?.value ?? "",
        ]
      }
    }
    let known = try directory.open()
    #expect(try shown(known) == ["R?", "A?B"])
    known.close()
    let database = try SharedDatabase()
    let report = try StoreTransfer.run(
      from: directory.path, to: PostgresServer.sharedAddress(database: database.name))
    #expect(report.replacedTextCount == 2)
    let moved = try database.open { $0.createsDatabase = false }
    #expect(try shown(moved) == ["R?", "A?B"])
    let problems = try moved.verify()
    #expect(problems == [], "\(problems)")
  }

  @Test("The character is found at each place of a text, and replaced")
  func replaced() {
    for (text, expected) in [
      ("", ""), ("Robin", "Robin"), ("\0", "?"), ("ä\0\0ö", "ä??ö"),
      (String(repeating: "a", count: 40) + "\0", String(repeating: "a", count: 40) + "?"),
    ] {
      #expect(text.hasZeroCharacter == (text != expected))
      #expect(text.replacingZeroCharacters == expected)
    }
  }
}
