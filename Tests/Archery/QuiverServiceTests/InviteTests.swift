import QuiverAPI
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Invites", .timeLimit(.minutes(5)))
struct InviteTests {
  @Test("An invite creates as many users as its limit, each with a valid token")
  func redeeming() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let made = try await admin.call(Admin.createInvite, .of(uses: 2, label: " club "))
      #expect(made.code.utf8.count == 19 && made.invite?.label == "club")
      #expect(made.invite?.uses == 2 && made.invite?.usesLeft == 2)

      let nobody = try server.nobody()
      let first = try await nobody.call(Account.redeemInvite, .of(made.code, name: "Robin"))
      #expect(first.principal?.displayName == "Robin" && first.principal?.kind == .user)
      #expect(first.token?.principalID == first.principal?.id)
      let robin = try server.client(token: first.secret)
      let identity = try await robin.call(Account.whoAmI, WhoAmIRequest())
      #expect(identity.principal == first.principal && identity.scopes == [.read, .write])

      // In another spelling, and without a name.
      let spelling = " " + made.code.lowercased().replacing("-", with: " ")
      let second = try await nobody.call(Account.redeemInvite, .of(spelling))
      #expect(second.principal?.shownName == "Archer \(second.principal?.id ?? 0)")
      #expect(second.secret != first.secret)

      let third = await nobody.refusal(Account.redeemInvite, .of(made.code))
      #expect(third?.code == .failedPrecondition)
      #expect(third?.message.hasPrefix("code: the invite was used up") == true)
      let listed = try await admin.call(Admin.listInvites, ListInvitesRequest()).invites
      #expect(listed.map(\.usesLeft) == [0])
    }
  }

  @Test("An unknown code of any form fails with NOT_FOUND and creates no user")
  func wrongCodes() async throws {
    var options = ServerAssembly.Options.withDiagnostics
    options.maxFailedInvitesPerMinute = 100
    try await TestServer.run(options) { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      _ = try await admin.call(Admin.createInvite, .of())
      let nobody = try server.nobody()
      let before = try server.lastSequence()
      let codes = [
        "", "00000000", "0000000", "000000000", "UUUUUUUU", "é0000000", "--------",
        String(repeating: "0", count: 3_000),
      ]
      for code in codes {
        let refusal = await nobody.refusal(Account.redeemInvite, .of(code))
        #expect(refusal?.code == .notFound && refusal?.message.hasPrefix("code: ") == true)
      }
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("A revoked invite and an expired one are refused with the reason")
  func ended() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let made = try await admin.call(Admin.createInvite, .of())
      var revocation = RevokeInviteRequest()
      revocation.id = made.invite?.id ?? 0
      let revoked = try await admin.call(Admin.revokeInvite, revocation)
      #expect(revoked.revokedAtMilliseconds != nil)
      #expect(try await admin.call(Admin.revokeInvite, revocation) == revoked)
      let refusal = try await server.nobody().refusal(Account.redeemInvite, .of(made.code))
      #expect(refusal?.code == .failedPrecondition)
      #expect(refusal?.message.contains("revoked") == true)
    }
  }

  @Test("A valid code works after thirty wrong ones from its address, which are slowed down")
  func limit() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let made = try await admin.call(Admin.createInvite, .of(uses: 1_000))
      let nobody = try server.nobody()
      let before = try server.lastSequence()
      var refusals: [StatusCode?] = []
      for number in 0..<30 {
        let code = number % 2 == 0 ? "00000000" : "0000-0000-0000-0000"
        let refusal = await nobody.refusal(Account.redeemInvite, .of(code))
        refusals.append(refusal?.code)
        if refusal?.code == .resourceExhausted {
          #expect(refusal?.retryAfterMilliseconds == 60_000)
        }
      }
      #expect(
        refusals == Array(repeating: .notFound, count: 10)
          + Array(repeating: .resourceExhausted, count: 20))
      #expect(try server.lastSequence() == before)
      _ = try await server.nobody().call(Account.redeemInvite, .of(made.code))
      _ = try await nobody.call(Account.redeemInvite, .of(made.code))
    }
  }

  @Test("A value that is not valid fails with the name of its field and stores nothing")
  func badInput() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let before = try server.lastSequence()
      let bad: [(CreateInviteRequest, String)] = [
        (.of(uses: 0), "uses: "), (.of(uses: 1_001), "uses: "),
        (.of(label: String(repeating: "x", count: 201)), "label: "),
        (.of(expiresAtMilliseconds: 1), "expires_at_ms: "),
      ]
      for (request, prefix) in bad {
        let refusal = await admin.refusal(Admin.createInvite, request)
        #expect(refusal?.code == .invalidArgument && refusal?.message.hasPrefix(prefix) == true)
      }
      let long = String(repeating: "x", count: 201)
      var redeeming = RedeemInviteRequest.of("00000000")
      redeeming.tokenLabel = long
      let label = try await server.nobody().refusal(Account.redeemInvite, redeeming)
      #expect(label?.message.hasPrefix("token_label: ") == true)
      var revocation = RevokeInviteRequest()
      revocation.id = 99
      #expect(await admin.refusal(Admin.revokeInvite, revocation)?.code == .notFound)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("Pages are newest first")
  func pages() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      for number in 1...5 {
        _ = try await admin.call(Admin.createInvite, .of(label: "\(number)"))
      }
      var request = ListInvitesRequest()
      request.pageSize = 3
      let first = try await admin.call(Admin.listInvites, request)
      _ = try await admin.call(Admin.createInvite, .of(label: "6"))
      request.pageToken = first.nextPageToken
      let second = try await admin.call(Admin.listInvites, request)
      #expect((first.invites + second.invites).map(\.label) == ["5", "4", "3", "2", "1"])
      #expect(second.nextPageToken.isEmpty)
      request.pageToken = "x"
      let refusal = await admin.refusal(Admin.listInvites, request)
      #expect(refusal?.message.hasPrefix("page_token: ") == true)
    }
  }

  @Test("A repeated call with the same key does not return a code or a secret again")
  func secretsAreNotKept() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let key = IdempotencyKey.random()
      let made = try await admin.call(Admin.createInvite, .of(uses: 2), key: key)
      let again = await admin.refusal(Admin.createInvite, .of(uses: 2), key: key)
      #expect(again?.code == .failedPrecondition)
      let nobody = try server.nobody()
      let other = IdempotencyKey.random()
      _ = try await nobody.call(Account.redeemInvite, .of(made.code), key: other)
      let replay = await nobody.refusal(Account.redeemInvite, .of(made.code), key: other)
      #expect(replay?.code == .failedPrecondition)
      let listed = try await admin.call(Admin.listInvites, ListInvitesRequest()).invites
      #expect(listed.map(\.usesLeft) == [1])
    }
  }
}

extension CreateInviteRequest {
  static func of(
    uses: UInt32 = 1, label: String = "", expiresAtMilliseconds: Int64? = nil
  ) -> CreateInviteRequest {
    var request = CreateInviteRequest()
    request.uses = uses
    request.label = label
    request.expiresAtMilliseconds = expiresAtMilliseconds
    return request
  }
}

extension RedeemInviteRequest {
  static func of(_ code: String, name: String = "") -> RedeemInviteRequest {
    var request = RedeemInviteRequest()
    request.code = code
    request.displayName = name
    return request
  }
}
