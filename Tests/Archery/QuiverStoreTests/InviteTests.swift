import QuiverCrypto
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct InviteTests {
  @Test("Only the hash of a code is stored, in no file its text")
  func atRest() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let made = try store.perform(try CreateInvite(label: "club", uses: 1), .of(1))
    let redeemed = try store.perform(Self.redeeming(made.code), .of(0))
    store.close()
    #expect(try !directory.holds(Array(made.code.utf8)))
    #expect(try directory.holds(SHA256.hash(Array(made.code.utf8))))
    #expect(try !directory.holds(Array(redeemed.token.secret.utf8)))
  }

  @Test("An expired invite creates no user")
  func expiry() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let invite = try CreateInvite(
      label: "", uses: 5, expiresAtMilliseconds: 1_700_000_001_000)
    let made = try store.perform(invite, .of(1))
    clock.set(wallMilliseconds: 1_700_000_000_999)
    let robin = try store.perform(Self.redeeming(made.code), .of(0))
    #expect(robin.principal.kind == .user)
    clock.set(wallMilliseconds: 1_700_000_001_000)
    let error = #expect(throws: StoreError.self) {
      try store.perform(Self.redeeming(made.code), .of(0))
    }
    #expect(error?.code == .failedPrecondition && error?.field == "code")
    try store.read { (snapshot) throws(StoreError) in
      #expect(try snapshot.invite(id: made.record.id).usesLeft == 4)
      #expect(try snapshot.principals(pageSize: 0, pageToken: "").items == [robin.principal])
    }
  }

  @Test(
    "All spellings of a code are accepted",
    arguments: [
      ("ABCD-1100", "ABCD1100"), ("abcdilo0", "ABCD1100"), (" ab cd\u{2D}IL0o ", "ABCD1100"),
      ("abcd-efgh jkmn-pqrs", "ABCDEFGHJKMNPQRS"),
    ])
  func spellings(_ text: String, _ spelling: String) {
    #expect(InviteCode.hash(text) == SHA256.hash(Array(spelling.utf8)))
  }

  @Test(
    "A text with another alphabet or length is not a code",
    arguments: ["", "ABCD110", "ABCD11000", "UBCD1100", "ABCD110_", "ÄBCD1100", "ABCD1100\u{0}"])
  func noCodes(_ text: String) {
    #expect(InviteCode.hash(text) == nil)
  }

  @Test("Codes use the alphabet, and no two are equal")
  func made() throws {
    let codes = try (0..<1_000).map { _ in try InviteCode.make() }
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.utf8.count == 16 && !InviteCode.isShort($0) })
    #expect(InviteCode.grouped("ABCDEFGHJKMNPQRS") == "ABCD-EFGH-JKMN-PQRS")
    #expect(codes.allSatisfy { InviteCode.hash($0) == SHA256.hash(Array($0.utf8)) })
    #expect(Set(codes.joined()).count == 32)
  }

  @Test("A code of eight characters, from before, is still valid")
  func short() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let made = try store.perform(CreateInvite(label: "", uses: 1), .of(0))
    let hash = SHA256.hash(Array("ABCD1100".utf8))
    store.close()
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    let text = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try connection.execute("UPDATE invite SET sha256 = x'\(text)' WHERE id = \(made.record.id)")
    connection.close()
    let reopened = try directory.open()
    let redeemed = try reopened.perform(Self.redeeming("abcd-1100"), .of(0))
    #expect(redeemed.principal.displayName == "Robin")
  }

  private static func redeeming(_ code: String) throws -> RedeemInvite {
    try RedeemInvite(code: code, displayName: "Robin", tokenLabel: "")
  }
}
