import TestSupport
import Testing

@testable import QuiverStore

@Suite("What users let others read, in the store", .timeLimit(.minutes(5)))
struct ShareTests {
  private static let day: Int64 = 86_400_000

  private func terms(
    _ bench: EventBench, _ parts: ActingScopes, days: Int64 = 1
  ) throws -> ShareTerms {
    let today = bench.store.nowMilliseconds / Self.day
    return try ShareTerms(
      parts: parts, untilDay: Int32(today + days),
      endsAtMilliseconds: (today + days + 1) * Self.day)
  }

  private func share(
    _ bench: EventBench, of owner: Int64, with reader: Int64, _ parts: ActingScopes
  ) throws -> ShareRecord {
    let code = bench.store.introductionCode(of: reader)
    return try bench.perform(ShareData(.code(code), terms(bench, parts)), as: owner)
  }

  private func listed(
    _ bench: EventBench, _ principal: Int64, _ side: ShareSide = .both
  ) throws -> [ShareRecord] {
    try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.shares(of: principal, side: side, pageSize: 0, pageToken: "").items
    }
  }

  @Test(
    "A share is granted, changed and ended in one row, and both sides list it",
    arguments: BothEngines.allCases)
  func life(engine: BothEngines) throws {
    try engine.withBench { bench in
      let (robin, coach) = (try bench.archer(), try bench.archer("Coach"))
      let first = try share(bench, of: robin, with: coach, .equipmentPart)
      #expect(first.ownerName == "Robin" && first.readerName == "Coach")
      let before = try bench.sequence()
      #expect(try share(bench, of: robin, with: coach, .equipmentPart) == first)
      #expect(try bench.sequence() == before, "equal terms store nothing")
      let wider = try share(bench, of: robin, with: coach, [.equipmentPart, .weightPart])
      #expect(wider.id == first.id && wider.parts == [.equipmentPart, .weightPart])
      let back = try share(bench, of: coach, with: robin, .roundsPart)
      #expect(try listed(bench, robin) == [wider, back])
      #expect(try listed(bench, robin, .given) == [wider])
      #expect(try listed(bench, robin, .received) == [back])

      func reads(_ part: ActingScopes) throws -> Bool {
        try bench.store.sharingUser(reader: coach, user: robin, anyOf: part) != nil
      }
      #expect(try reads(.weightPart))
      #expect(try reads([.roundsPart, .equipmentPart]))
      #expect(try !reads(.roundsPart))
      // A share is no grant of a service, and gives no command.
      let acting = CommandOptions(
        caller: CommandCaller(principal: robin, actor: coach, actingScopes: .equipment))
      let refusal = bench.refusal {
        try bench.store.perform(SetPreference(key: "a", value: "b"), acting)
      }
      #expect(refusal?.code == .permissionDenied)
      #expect(try bench.store.actingUser(service: coach, user: robin, scopes: []) == nil)

      try bench.perform(EndShare(id: wider.id), as: coach)
      #expect(try !reads(.weightPart))
      #expect(
        bench.refusal { try bench.perform(EndShare(id: wider.id), as: robin) }?.code == .notFound)
      #expect(try bench.store.verify().isEmpty)
    }
  }

  @Test(
    "An invitation is one row until it is accepted, and its share is granted by its maker",
    arguments: BothEngines.allCases)
  func invitations(engine: BothEngines) throws {
    try engine.withBench { bench in
      let (robin, coach) = (try bench.archer(), try bench.archer("Coach"))
      let made = try bench.perform(
        CreateShareInvite(terms(bench, .strengthPart)), as: robin)
      let waiting = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.shareInvites(of: robin, pageSize: 0, pageToken: "").items
      }
      #expect(waiting == [made.record])
      let share = try bench.perform(AcceptShareInvite(code: made.code), as: coach)
      #expect(share.owner == robin && share.reader == coach && share.parts == .strengthPart)
      let again = bench.refusal { try bench.perform(AcceptShareInvite(code: made.code), as: coach) }
      #expect(again?.code == .notFound)
      let usage = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.usage(principal: robin)
      }
      #expect(usage.rows == 2, "the share and a row of the audit")
      #expect(try bench.store.verify().isEmpty)
    }
  }

  @Test("A day that is over ends a share and an invitation, and frees their places in the limits")
  func ends() throws {
    let bench = try EventBench()
    let (robin, coach) = (try bench.archer(), try bench.archer("Coach"))
    let first = try share(bench, of: robin, with: coach, .equipmentPart)
    let made = try bench.perform(CreateShareInvite(terms(bench, .roundsPart)), as: robin)
    bench.clock.pass(milliseconds: 2 * Self.day)
    #expect(try listed(bench, robin).isEmpty)
    #expect(try listed(bench, coach).isEmpty)
    #expect(
      try bench.store.sharingUser(reader: coach, user: robin, anyOf: .equipmentPart) == nil)
    let late = bench.refusal { try bench.perform(AcceptShareInvite(code: made.code), as: coach) }
    #expect(late?.code == .failedPrecondition)
    let second = try share(bench, of: robin, with: coach, .equipmentPart)
    #expect(second.id != first.id)
    #expect(try listed(bench, coach) == [second])
  }

  @Test(
    "The time of the last read is stored, and not again within a quarter of an hour",
    arguments: BothEngines.allCases)
  func lastRead(engine: BothEngines) throws {
    try engine.withBench { bench in
      let (robin, coach) = (try bench.archer(), try bench.archer("Coach"))
      let made = try share(bench, of: robin, with: coach, .equipmentPart)
      func isStale() throws -> Bool? {
        try bench.store.sharingUser(reader: coach, user: robin, anyOf: .equipmentPart)?.isStale
      }
      #expect(made.lastReadAtMilliseconds == 0)
      #expect(try isStale() == true)
      let before = try bench.sequence()
      try bench.store.perform(TouchShare(id: made.id), .of(0))
      let first = try #require(try listed(bench, robin).first).lastReadAtMilliseconds
      #expect(first > 0)
      #expect(try isStale() == false)
      try bench.store.perform(TouchShare(id: made.id), .of(0))
      #expect(try listed(bench, robin).first?.lastReadAtMilliseconds == first)
      #expect(try bench.sequence() == before, "no watch is told")
    }
  }

  @Test("Shares and invitations of one user are limited, and the refusal is counted")
  func limits() throws {
    let bench = try EventBench()
    let robin = try bench.archer()
    let before = StoreLimit.shareInvitesPerOwner.reachedCount
    for _ in 0..<StoreLimits.shareInvitesPerOwner {
      try bench.perform(CreateShareInvite(terms(bench, .roundsPart)), as: robin)
    }
    let many = bench.refusal {
      try bench.perform(CreateShareInvite(terms(bench, .roundsPart)), as: robin)
    }
    #expect(many?.code == .resourceExhausted)
    #expect(StoreLimit.shareInvitesPerOwner.reachedCount == before + 1)
    for number in 0..<StoreLimits.sharesPerOwner {
      _ = try share(bench, of: robin, with: bench.archer("Coach \(number)"), .roundsPart)
    }
    let coach = try bench.archer("One more")
    let full = bench.refusal { try share(bench, of: robin, with: coach, .roundsPart) }
    #expect(full?.code == .resourceExhausted)
    #expect(StoreLimit.sharesPerOwner.reachedCount > 0)
    // What is shared already can be changed and ended.
    let one = try #require(try listed(bench, robin).first)
    try bench.perform(ShareData(.share(one.id), terms(bench, .weightPart)), as: robin)
    try bench.perform(EndShare(id: one.id), as: robin)
    _ = try share(bench, of: robin, with: coach, .roundsPart)
  }

  @Test(
    "The deletion of an account leaves no share and no invitation", arguments: BothEngines.allCases)
  func deletion(engine: BothEngines) throws {
    try engine.withBench { bench in
      let (robin, coach) = (try bench.archer(), try bench.archer("Coach"))
      _ = try share(bench, of: robin, with: coach, .equipmentPart)
      _ = try share(bench, of: coach, with: robin, .equipmentPart)
      try bench.perform(CreateShareInvite(terms(bench, .roundsPart)), as: robin)
      try bench.perform(DeleteAccount(confirmation: "Robin"), as: robin)
      try bench.store.awaitErasure()
      let rows = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.first(
          Query("SELECT (SELECT count(*) FROM acting_grant) + (SELECT count(*) FROM share_invite)")
        ) { row in row.int64(0) }
      }
      #expect(rows == 0)
    }
  }
}

extension Store {
  /// The code that a principal shows.
  fileprivate func introductionCode(of principal: Int64) -> String {
    (try? read { (snapshot) throws(StoreError) in
      snapshot.introductionCode(of: principal, nowMilliseconds: nowMilliseconds).code
    }) ?? ""
  }
}
