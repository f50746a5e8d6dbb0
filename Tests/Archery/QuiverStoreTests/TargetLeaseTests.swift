import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Leases of targets", .timeLimit(.minutes(5)))
struct TargetLeaseTests {
  @Test("An event without leases is scored by any device, and one with them by the one that joined")
  func demanded() throws {
    let line = try LeasedLine()
    let bench = line.bench
    #expect(try line.arrow(0, "tablet", as: bench.organiser) == nil)
    #expect(try line.cards.refusal { try line.code() }?.code == .failedPrecondition)
    try line.demand()
    let early = try line.arrow(1, "tablet", as: bench.organiser)
    #expect(early?.code == .failedPrecondition && early?.marker == .notYet)
    // A phone without any other part in the event joins by the code of the target.
    let phone = try bench.archer("Phone")
    let joined = try line.join(try line.code(), "phone 1", as: phone)
    #expect(joined.entries.map(\.displayName) == ["Robin", "Much"])
    let lease = try #require(joined.lease)
    #expect(lease.expiresAtMilliseconds > lease.joinedAtMilliseconds)
    #expect(try line.arrow(1, "phone 1", as: phone) == nil)
    for (device, principal) in [
      ("phone 2", phone), ("phone 1", bench.organiser), ("phone 1", line.cards.archer),
    ] {
      let wrong = try line.arrow(0, device, as: principal, line.cards.own)
      #expect(wrong?.code == .failedPrecondition && wrong?.marker == nil, "\(device)")
      #expect(wrong?.message.contains("another device") == true)
    }
    // What it recorded of an archer who has moved is stored; a judge corrects without a lease.
    try bench.perform(
      try PlaceEntry(line.cards.own, session: line.session, target: 2, letter: "A", swaps: false))
    #expect(try line.arrow(0, "phone 1", as: phone, line.cards.own) == nil)
    let slot = try line.cards.card(line.cards.entry).arrows[0]
    try bench.replace(
      slot.operationID, of: line.cards.entry, 0, 0, "8", as: line.cards.judge)
    try line.demand(false)
    #expect(try line.arrow(2, "tablet", as: bench.organiser) == nil)
    #expect(try bench.store.verify() == [])
  }

  @Test("Two devices on a target keep two cards, and no card has two devices")
  func twoDevices() throws {
    let line = try LeasedLine()
    try line.demand()
    let code = try line.code()
    let (first, second) = (try line.bench.archer("One"), try line.bench.archer("Two"))
    try line.join(code, "a", .first, as: first)
    try line.join(code, "b", .second, as: second)
    #expect(try line.arrow(0, "a", as: first) == nil)
    let end = try line.cards.second(line.cards.entry, 0, "9 9 9", as: second) { $0.device = "b" }
    #expect(end.verdict == .stored)
    for (device, principal) in [("a", first), ("b", first), ("a", second)] {
      let wrong = try line.cards.second(line.cards.entry, 1, "9 9 9", as: principal) {
        $0.device = device
      }
      #expect(wrong.verdict == .refused && wrong.end == nil, "\(device)")
    }
    let taken = try line.cards.refusal { try line.join(code, "c", .first, as: second) }
    #expect(taken?.code == .failedPrecondition)
  }

  @Test("A lease is renewed by its device, expires, and is taken over by an organiser")
  func life() throws {
    let line = try LeasedLine()
    try line.demand()
    let code = try line.code()
    let (first, other) = (try line.bench.archer("One"), try line.bench.archer("Two"))
    let joined = try #require(try line.join(code, "a", as: first).lease)
    line.bench.clock.pass(milliseconds: 60_000)
    let renewed = try #require(try line.join(code, "a", as: first).lease)
    #expect(renewed.joinedAtMilliseconds == joined.joinedAtMilliseconds)
    #expect(renewed.expiresAtMilliseconds > joined.expiresAtMilliseconds)
    line.bench.clock.pass(milliseconds: StoreLimits.leaseMilliseconds + 1)
    #expect(try line.arrow(0, "a", as: first)?.marker == .notYet)
    // Whoever joins next has it.
    try line.join(code, "b", as: other)
    // What it recorded before is kept where nothing is.
    #expect(try line.arrow(0, "a", as: first) == nil)
    let denied = try line.cards.refusal {
      try line.join(code, "a", as: first, takesOver: true)
    }
    #expect(denied?.code == .failedPrecondition)
    try line.join(code, "tablet", as: line.bench.organiser, takesOver: true)
    #expect(try line.arrow(1, "tablet", as: line.bench.organiser) == nil)
    #expect(try line.arrow(2, "b", as: other) == nil)
    let third = try line.bench.archer("Three")
    #expect(try line.arrow(0, "c", as: third)?.code == .notFound)
    let leave = try LeaveTarget(event: line.event, session: line.session, target: 1, .first)
    #expect(
      try line.cards.refusal { try line.bench.perform(leave, as: line.cards.judge) }?.code
        == .permissionDenied)
    try line.bench.perform(leave)
    #expect(try line.arrow(1, "tablet", as: line.bench.organiser) == nil)
  }

  @Test("Who has left a target, or lost it, leaves it again without an error and without effect")
  func leftAlready() throws {
    let line = try LeasedLine()
    try line.demand()
    let bench = line.bench
    let code = try line.code()
    let (phone, other) = (try bench.archer("Phone"), try bench.archer("Other"))
    let leave = try LeaveTarget(event: line.event, session: line.session, target: 1, .first)
    func setPublic(_ isPublic: Bool) throws {
      let id = line.event
      let head = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.tournamentHead(id: id)
      }
      var change = UpdateTournament.Change()
      change.isPublic = isPublic
      try bench.perform(try UpdateTournament(id, revision: try #require(head).revision, change))
    }
    func refusal(_ principal: Int64) throws -> StoreError? {
      let before = try bench.sequence()
      let refusal = bench.refusal { try bench.perform(leave, as: principal) }
      #expect(try bench.sequence() == before)
      return refusal
    }
    try setPublic(true)
    try line.join(code, "a", as: phone)
    // Nobody else ends it, whoever sees the event.
    #expect(try refusal(other)?.code == .permissionDenied)
    try bench.perform(leave, as: phone)
    #expect(try refusal(phone) == nil)
    #expect(try refusal(other) == nil)
    // Another device has it now: the former one has left, and the lease stays.
    try line.join(code, "b", as: other)
    #expect(try refusal(phone) == nil)
    #expect(try line.arrow(0, "b", as: other) == nil)
    let third = try bench.archer("Third")
    #expect(try refusal(third)?.code == .permissionDenied)
    // In a private event who had a lease leaves again, and others learn nothing.
    try setPublic(false)
    #expect(try refusal(phone) == nil)
    #expect(try refusal(third)?.code == .notFound)
    try bench.perform(leave, as: other)
    #expect(try refusal(other) == nil)
    #expect(try refusal(third)?.code == .notFound)
  }

  @Test("A code that is old, changed or of another store joins nothing")
  func codes() throws {
    let line = try LeasedLine()
    try line.demand()
    let code = try line.code()
    let organiser = line.bench.organiser
    func refusal(_ code: String, _ device: String = "a") throws -> StoreError.Code? {
      try line.cards.refusal { try line.join(code, device, as: organiser) }?.code
    }
    #expect(try refusal("") == .notFound)
    #expect(try refusal(String(code.dropLast()) + (code.hasSuffix("A") ? "B" : "A")) == .notFound)
    #expect(try refusal(code, " ") == .invalidArgument)
    let other = try LeasedLine()
    try other.demand()
    #expect(try refusal(try other.code()) == .notFound)
    #expect(
      try line.cards.refusal { try line.code(as: line.cards.judge) }?.code == .permissionDenied)
    try line.demand(newCodes: true)
    #expect(try refusal(code) == .failedPrecondition)
    let new = try line.code()
    try line.demand(false)
    #expect(try refusal(new) == .failedPrecondition)
    // The plates hang all day: the same codes are valid again.
    try line.demand()
    #expect(try refusal(new) == nil)
    #expect(try line.code() == new)
  }

  @Test("A match on a target is scored by the device that joined it")
  func matches() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let bench = bracket.bench
    let id = try bracket.match(2, 0).id
    let event = try bracket.match(2, 0).event
    var places = PlaceMatches.Places()
    (places.firstTarget, places.targetsPerMatch) = (3, 1)
    try bench.perform(try PlaceMatches(.match(id), places))
    try bench.perform(DemandLeases(event: event, isDemanded: true, makesNewCodes: false))
    func apply(_ device: String, as principal: Int64) throws -> MatchOutcome {
      var draft = try bracket.operation(id, .first, 0, [9, 9, 9])
      draft.device = device
      return try bracket.apply([draft], as: principal)[0]
    }
    let early = try apply("a", as: bench.organiser)
    #expect(early.verdict == .notYet && early.refusal?.message.contains("join it") == true)
    let organiser = bench.organiser
    let code = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.targetCodes(event: event, session: 0, targets: 3...3, principal: organiser)[0]
        .code
    }
    let phone = try bench.archer("Phone")
    try bench.perform(
      try JoinTarget(code: code, .first, device: "a", takesOver: false), as: phone)
    let sequence = try bench.sequence()
    let wrong = try apply("b", as: phone)
    #expect(wrong.refusal?.code == .failedPrecondition)
    #expect(try bench.sequence() == sequence)
    #expect(try apply("a", as: phone).verdict == .stored)
    // It is sent again when the lease has expired and was renewed.
    bench.clock.pass(milliseconds: StoreLimits.leaseMilliseconds + 1)
    var later = try bracket.operation(id, .second, 0, [9, 9, 9])
    later.device = "a"
    #expect(try bracket.apply([later], as: phone)[0].verdict == .notYet)
    try bench.perform(
      try JoinTarget(code: code, .first, device: "a", takesOver: false), as: phone)
    #expect(try bracket.apply([later], as: phone)[0].verdict == .stored)
  }

  @Test("Erasing an account ends its leases, and its export has them")
  func erased() throws {
    let line = try LeasedLine()
    try line.demand()
    let phone = try line.bench.archer("Phone")
    try line.join(try line.code(), "GONETEXT", as: phone)
    let items = try line.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.export(principal: phone, pageSize: 500, pageToken: "").items
    }
    #expect(
      items.contains { item in
        if case .lease(let lease) = item { return lease.device == "GONETEXT" }
        return false
      })
    try line.bench.perform(DeleteAccount(confirmation: "Phone"), as: phone)
    try line.bench.store.awaitErasure()
    #expect(try line.bench.directory.keeps(["GONETEXT"]) == [])
    #expect(try line.bench.store.verify() == [])
  }
}
