import Foundation
import QuiverCrypto
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TokenTests {
  @Test("The first start creates an administrator with its token in a file of mode 0600")
  func firstStart() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    try AdministratorToken.makeFirst(in: store)
    let path = directory.path + "/admin.token"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let secret = try Self.secret(directory)
    #expect(secret.count == 46 && secret.starts(with: "qv_".utf8))
    let token = try #require(try store.authenticate(secret))
    #expect(token.principal.kind == .administrator)

    try AdministratorToken.makeFirst(in: store)
    #expect(try Self.secret(directory) == secret)
  }

  @Test(
    "A stopped server's administrator can get a new token; a running server locks its directory"
  )
  func anotherAdministratorToken() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    try AdministratorToken.makeFirst(in: store)
    let first = try Self.secret(directory)
    let error = #expect(throws: StoreError.self) {
      try AdministratorToken.make(dataDirectory: directory.path)
    }
    #expect(error?.message.contains("another server has the data directory") == true)
    #expect(try Self.secret(directory) == first)
    store.close()

    #expect(try AdministratorToken.make(dataDirectory: directory.path).hasSuffix("/admin.token"))
    let second = try Self.secret(directory)
    #expect(second != first)
    let reopened = try directory.open()
    let tokens = try [first, second].map { try reopened.authenticate($0) }
    #expect(tokens.allSatisfy { $0?.principal.id == 1 })
  }

  @Test("Only the hash of a token is stored, in no file its text")
  func atRest() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let ann = try store.perform(CreatePrincipal(kind: .user, displayName: " Ann "), .of(0))
    #expect(ann.displayName == "Ann")
    let made = try store.perform(CreateToken(principal: ann.id, label: "phone"), .of(0))
    let secret = Array(made.secret.utf8)
    #expect(try store.authenticate(secret) == made.record)
    #expect(try store.authenticate(Array(secret.dropLast())) == nil)
    #expect(try store.authenticate([]) == nil)
    var other = secret
    other[10] ^= 1
    #expect(try store.authenticate(other) == nil)
    store.close()
    #expect(try !directory.holds(secret))
    #expect(try directory.holds(SHA256.hash(secret)))
  }

  @Test("A revoked token is refused, and its connections are notified after the commit")
  func revocation() throws {
    let revoked = RevokedTokens()
    let store = try TemporaryDirectory().open(
      hooks: StoreHooks(permissionsEnded: { revoked.append($0.tokenIDs) }))
    let ann = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    let made = try store.perform(CreateToken(principal: ann.id, label: ""), .of(0))
    let ended = try store.perform(RevokeToken(id: made.record.id), .of(0))
    #expect(ended.revokedAtMilliseconds != nil)
    #expect(try store.authenticate(Array(made.secret.utf8)) == nil)
    #expect(try store.perform(RevokeToken(id: made.record.id), .of(0)) == ended)
    #expect(revoked.all == [made.record.id])
    let error = #expect(throws: StoreError.self) { try store.perform(RevokeToken(id: 99), .of(0)) }
    #expect(error?.code == .notFound)
  }

  @Test("A token expires at its time")
  func expiry() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let ann = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    clock.set(wallMilliseconds: 1_700_000_000_500)
    let error = #expect(throws: StoreError.self) {
      try store.perform(
        CreateToken(principal: ann.id, label: "", expiresAtMilliseconds: 1_700_000_000_500),
        .of(0))
    }
    #expect(error?.field == "expires_at_ms")
    let made = try store.perform(
      CreateToken(principal: ann.id, label: "", expiresAtMilliseconds: 1_700_000_001_000), .of(0))
    #expect(try store.authenticate(Array(made.secret.utf8)) != nil)
    clock.set(wallMilliseconds: 1_700_000_001_000)
    #expect(try store.authenticate(Array(made.secret.utf8)) == nil)
  }

  @Test(
    "A name that is blank or too long is refused",
    arguments: [" \n", String(repeating: "x", count: 51)])
  func names(name: String) throws {
    let store = try TemporaryDirectory().open()
    let error = #expect(throws: StoreError.self) {
      try store.perform(CreatePrincipal(kind: .user, displayName: name), .of(0))
    }
    #expect(error?.code == .invalidArgument && error?.field == "display_name")
  }

  @Test("A principal may be created without a name and is shown by its id")
  func withoutName() throws {
    let store = try TemporaryDirectory().open()
    let made = try store.perform(CreatePrincipal(kind: .user, displayName: ""), .of(0))
    #expect(made.displayName.isEmpty && made.shownName == "Archer \(made.id)")
  }

  @Test("Principals are listed by id and tokens newest first, without gap or repetition")
  func lists() throws {
    let store = try TemporaryDirectory().open()
    for number in 1...7 {
      let principal = try store.perform(
        CreatePrincipal(kind: .service, displayName: "s\(number)"), .of(0))
      for _ in 0..<2 {
        _ = try store.perform(CreateToken(principal: principal.id, label: ""), .of(0))
      }
    }
    try store.read { (snapshot) throws(StoreError) in
      var ids: [Int64] = []
      var token = ""
      repeat {
        let page = try snapshot.principals(pageSize: 3, pageToken: token)
        ids += page.items.map(\.id)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(ids == Array(1...7))
      let first = try snapshot.tokens(principal: 0, pageSize: 10, pageToken: "")
      let second = try snapshot.tokens(
        principal: 0, pageSize: 10, pageToken: first.nextPageToken)
      #expect((first.items + second.items).map(\.id) == Array((1...14).reversed()))
      #expect(second.nextPageToken.isEmpty)
      let own = try snapshot.tokens(principal: 3, pageSize: 0, pageToken: "")
      #expect(own.items.map(\.id) == [6, 5])
      let error = #expect(throws: StoreError.self) {
        try snapshot.tokens(principal: 3, pageSize: 10, pageToken: first.nextPageToken)
      }
      #expect(error?.field == "page_token")
    }
  }

  private static func secret(_ directory: TemporaryDirectory) throws -> [UInt8] {
    let text = try String(contentsOfFile: directory.path + "/admin.token", encoding: .utf8)
    return Array(text.trimmingCharacters(in: .newlines).utf8)
  }
}

private final class RevokedTokens: Sendable {
  private let values = Mutex<[Int64]>([])
  var all: [Int64] { values.withLock { $0 } }
  func append(_ ids: [Int64]) { values.withLock { $0 += ids } }
}
