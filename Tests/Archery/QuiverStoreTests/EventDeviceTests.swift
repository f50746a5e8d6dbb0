import QuiverCrypto
import QuiverRules
import Testing

@testable import QuiverStore

/// Phones that join a target with its code alone: who they are, what they may, and when they end.
@Suite("Devices of events", .timeLimit(.minutes(5)))
struct EventDeviceTests {
  @Test("A phone with a secret joins without a principal, and scores the target that it leases")
  func joins() throws {
    let line = try DeviceLine()
    let joined = try line.join(1)
    let lease = try #require(joined.lease)
    #expect(joined.entries.map(\.displayName) == ["Robin", "Much"] && joined.choices.isEmpty)
    #expect(lease.principal > 0 && lease.displayName == "phone 1")
    #expect(
      lease.expiresAtMilliseconds - lease.joinedAtMilliseconds
        == StoreLimits.deviceLifeMilliseconds)
    #expect(try line.line.arrow(0, "any tab", as: lease.principal) == nil)
    // It is known by the token that the phone makes of its secret.
    let access = try #require(try line.bench.store.authenticatedDevice(line.token(1)))
    #expect(access.principal == lease.principal && !access.isEnded)
    #expect(try line.bench.store.authenticatedDevice(line.token(2)) == nil)
    #expect(try line.bench.store.authenticate(line.token(1)) == nil)
    let kind = try line.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.principal(id: lease.principal).kind
    }
    #expect(kind == .device)
    #expect(try line.bench.store.verify() == [])
  }

  @Test("The same secret is the same device in a second tab, and on a second target")
  func sameSecret() throws {
    let line = try DeviceLine()
    let first = try #require(try line.join(1).lease)
    let second = try #require(try line.join(1, device: "second tab").lease)
    #expect(second.principal == first.principal)
    #expect(second.joinedAtMilliseconds == first.joinedAtMilliseconds)
    let other = try #require(try line.join(1, target: 2).lease)
    #expect(other.principal == first.principal && other.target == 2)
    #expect(try line.devices().map(\.leaseCount) == [2])
  }

  @Test("A device never has both cards of a target, and two devices do")
  func bothCards() throws {
    let line = try DeviceLine()
    try line.join(1)
    let refused = try line.line.cards.refusal { try line.join(1, card: .second) }
    #expect(refused?.code == .failedPrecondition && refused?.field == "card")
    #expect(try line.join(2, card: .second).lease?.card == .second)
    #expect(try line.devices().count == 2)
  }

  @Test("A device that joins nothing leaves no principal behind")
  func makesNoPrincipal() throws {
    let line = try DeviceLine()
    let sequence = try line.bench.sequence()
    let other = try DeviceLine()
    for code in ["", "qp_", "qt_AAAA", try other.plate(1)] {
      let refused = try line.line.cards.refusal { try line.join(1, code: code) }
      #expect(refused?.code == .notFound, "\(code)")
    }
    #expect(try line.line.cards.refusal { try line.join(1, device: " ") }?.field == "device")
    for bytes in [[], [UInt8](repeating: 7, count: 32), [1, 2, 3]] {
      #expect(throws: StoreError.self) { try DeviceSecret(bytes) }
    }
    #expect(try line.bench.sequence() == sequence && line.devices().isEmpty)
  }

  @Test("A device that has not called for 36 hours has ended, and its secret finds it again")
  func expires() throws {
    let line = try DeviceLine()
    let lease = try #require(try line.join(1).lease)
    line.bench.clock.pass(milliseconds: StoreLimits.deviceLifeMilliseconds - 1)
    try line.bench.perform(TouchDevice(), as: lease.principal)
    line.bench.clock.pass(milliseconds: StoreLimits.deviceLifeMilliseconds - 1)
    #expect(try line.line.arrow(0, "phone", as: lease.principal) == nil)
    line.bench.clock.pass(milliseconds: 2)
    let access = try line.bench.store.authenticatedDevice(line.token(1))
    #expect(access?.isEnded == true)
    // A call does not bring it back.
    try line.bench.perform(TouchDevice(), as: lease.principal)
    #expect(try line.bench.store.authenticatedDevice(line.token(1))?.isEnded == true)
    let again = try #require(try line.join(1).lease)
    #expect(again.principal == lease.principal)
    #expect(try line.bench.store.authenticatedDevice(line.token(1))?.isEnded == false)
    line.bench.clock.pass(
      milliseconds: StoreLimits.deviceLifeMilliseconds + StoreLimits.lateDeliveryMilliseconds + 1)
    #expect(try line.bench.store.authenticatedDevice(line.token(1)) == nil)
  }

  @Test("An organiser ends a device; its secret joins no more, and another one does")
  func ended() throws {
    let line = try DeviceLine()
    let lease = try #require(try line.join(1).lease)
    for principal in [line.line.cards.judge, line.line.cards.archer] {
      let refused = try line.line.cards.refusal {
        try line.bench.perform(EndDevice(lease.principal, of: line.line.event), as: principal)
      }
      #expect(refused?.code == .permissionDenied)
    }
    let person = try line.line.cards.refusal {
      try line.bench.perform(EndDevice(line.line.cards.archer, of: line.line.event))
    }
    #expect(person?.code == .notFound)
    try line.bench.perform(EndDevice(lease.principal, of: line.line.event))
    try line.bench.perform(EndDevice(lease.principal, of: line.line.event))
    #expect(try line.bench.store.authenticatedDevice(line.token(1))?.isEnded == true)
    #expect(try line.line.cards.refusal { try line.join(1) }?.code == .permissionDenied)
    #expect(try line.join(2).lease != nil)
    #expect(try line.devices().map(\.leaseCount) == [0, 1])
  }

  @Test("New codes end all devices of the event, which join again with the new ones")
  func newCodes() throws {
    let line = try DeviceLine()
    let old = try line.plate(1)
    let lease = try #require(try line.join(1).lease)
    try line.line.demand(newCodes: true)
    #expect(try line.bench.store.authenticatedDevice(line.token(1))?.isEnded == true)
    #expect(
      try line.line.cards.refusal { try line.join(1, code: old) }?.code == .failedPrecondition)
    let again = try #require(try line.join(1).lease)
    #expect(again.principal == lease.principal)
  }

  @Test("Devices score where an event demands no leases too, by the codes of its plates")
  func withoutDemand() throws {
    let line = try DeviceLine(demands: false)
    let lease = try #require(try line.join(1).lease)
    #expect(try line.line.arrow(0, "phone", as: lease.principal) == nil)
    // Who may score without a lease goes on doing so.
    #expect(try line.line.arrow(1, "desk", as: line.bench.organiser) == nil)
    let third = try line.bench.archer("Third")
    #expect(try line.line.arrow(2, "phone", as: third)?.code != nil)
    // Demanding leases, and no more, keeps the codes and the leases of devices.
    let code = try line.plate(1)
    try line.line.demand()
    #expect(try line.plate(1) == code)
    try line.line.demand(false)
    #expect(try line.line.arrow(2, "phone", as: lease.principal) == nil)
  }

  @Test("A device ends with its event: when it is final, and when it is deleted")
  func endOfEvent() throws {
    let line = try DeviceLine()
    let lease = try #require(try line.join(1).lease)
    try line.bench.perform(
      try ChangeTournamentState(line.line.event, .finalise, anyway: true))
    #expect(try line.bench.store.authenticatedDevice(line.token(1))?.isEnded == true)
    try line.bench.perform(
      try ChangeTournamentState(line.line.event, .reopen, reason: "an arrow was missing"))
    #expect(try line.bench.store.authenticatedDevice(line.token(1))?.isEnded == false)
    try line.bench.perform(DeleteTournament(line.line.event))
    #expect(try line.bench.store.authenticatedDevice(line.token(1)) == nil)
    let gone = try line.line.cards.refusal {
      _ = try line.bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.principal(id: lease.principal)
      }
    }
    #expect(gone?.code == .notFound)
    #expect(try line.bench.store.verify() == [])
  }

  @Test("A secret belongs to one event")
  func otherEvent() throws {
    let line = try DeviceLine()
    try line.join(1)
    let other = try DeviceLine(in: line.bench)
    let refused = try line.line.cards.refusal { try other.join(1) }
    #expect(refused?.code == .failedPrecondition && refused?.field == "device_secret")
  }

  @Test("A silent device is taken over by a phone that asks to, once it has been silent for long")
  func takeover() throws {
    let line = try DeviceLine()
    let former = try #require(try line.join(1).lease)
    for isAsked in [false, true] {
      let early = try line.line.cards.refusal { try line.join(2, takesOver: isAsked) }
      #expect(early?.code == .failedPrecondition && early?.field == "code")
    }
    line.bench.clock.pass(milliseconds: StoreLimits.takeoverSilenceMilliseconds)
    let unasked = try line.line.cards.refusal { try line.join(2) }
    #expect(unasked?.code == .failedPrecondition && unasked?.field == "take_over")
    let taken = try #require(try line.join(2, takesOver: true).lease)
    #expect(taken.takenOverFrom == "phone 1" && taken.takenOverAtMilliseconds > 0)
    #expect(taken.principal != former.principal)
    // Two phones that take over from each other again and again wait for the silence each time.
    let back = try line.line.cards.refusal { try line.join(1, takesOver: true) }
    #expect(back?.field == "code")
    // A call of the holder is no silence.
    line.bench.clock.pass(milliseconds: StoreLimits.takeoverSilenceMilliseconds)
    _ = line.bench.store.noteCall(ofDevice: taken.principal)
    #expect(try line.line.cards.refusal { try line.join(1, takesOver: true) }?.field == "code")
    #expect(try line.bench.store.verify() == [])
  }

  @Test("A phone takes no card over from somebody with a token, and an organiser may")
  func takeoverFromToken() throws {
    let line = try DeviceLine()
    try line.line.join(try line.line.code(), "tablet", as: line.line.cards.archer)
    line.bench.clock.pass(milliseconds: StoreLimits.takeoverSilenceMilliseconds)
    let refused = try line.line.cards.refusal { try line.join(1, takesOver: true) }
    #expect(refused?.code == .failedPrecondition && refused?.field == "code")
    #expect(refused?.message.contains("organiser") == true)
    try line.line.join(
      try line.line.code(), "desk", as: line.bench.organiser, takesOver: true)
  }

  @Test("A plate finds the session that is open, and asks where two are")
  func plates() throws {
    let line = try DeviceLine()
    var content = EventSessionContent()
    (content.name, content.lastTarget) = ("afternoon", 2)
    let second = try line.bench.perform(
      try PutEventSession(0, of: line.line.event, revision: 0, content))
    // Nobody shoots there: one session is open.
    #expect(try line.join(1).lease?.session == line.line.session)
    try line.bench.perform(
      try PlaceEntry(
        line.line.cards.own, session: second.id, target: 1, letter: "A", swaps: false))
    let asked = try line.join(2, card: .second)
    #expect(asked.lease == nil && asked.choices.map(\.name) == ["line", "afternoon"])
    #expect(try line.devices().count == 1, "nothing is leased, so that no device is made")
    let chosen = try line.join(2, card: .second, session: second.id)
    #expect(chosen.lease?.session == second.id)
    let none = try line.line.cards.refusal { try line.join(3, session: 4_711) }
    #expect(none?.code == .notFound)
    let match = try line.line.cards.refusal { try line.join(3, match: 4_711) }
    #expect(match?.code == .failedPrecondition && match?.field == "match_id")
    // The one that begins much later is not open yet.
    content.startsAtMilliseconds =
      line.bench.clock.clock.wallMilliseconds() + StoreLimits.plateLeadMilliseconds + 60_000
    try line.bench.perform(
      try PutEventSession(
        second.id, of: line.line.event, revision: second.revision, content))
    #expect(try line.join(3, card: .second).lease?.session == line.line.session)
  }

  @Test("The codes of plates are those of all targets, or of a range, for organisers alone")
  func plateCodes() throws {
    let line = try DeviceLine()
    let event = line.line.event
    let all = try line.bench.perform(try MakePlateCodes(event: event, first: 0, last: 0))
    #expect(all.map(\.target) == [1, 2])
    let some = try line.bench.perform(try MakePlateCodes(event: event, first: 2, last: 3))
    #expect(some.map(\.target) == [2, 3] && some[0].code == all[1].code)
    #expect(throws: StoreError.self) { try MakePlateCodes(event: event, first: 0, last: 3) }
    #expect(throws: StoreError.self) { try MakePlateCodes(event: event, first: 1, last: 201) }
    #expect(throws: StoreError.self) { try MakePlateCodes(event: event, first: 4, last: 10_000) }
    let refused = try line.line.cards.refusal {
      try line.bench.perform(
        try MakePlateCodes(event: event, first: 0, last: 0), as: line.line.cards.judge)
    }
    #expect(refused?.code == .permissionDenied)
  }

  @Test("What a device says of itself is stored and shown, and nothing else follows from it")
  func reports() throws {
    let line = try DeviceLine()
    let lease = try #require(try line.join(1).lease)
    var report = EventDeviceRecord.Report()
    (report.waitingOperations, report.waitingSinceMilliseconds) = (7, 1_000)
    (report.pageVersion, report.batteryPercent) = ("1.2", 0)
    try line.bench.perform(try ReportDevice(report), as: lease.principal)
    #expect(try line.devices()[0].report == report)
    report.batteryPercent = 101
    #expect(throws: StoreError.self) { try ReportDevice(report) }
    report.batteryPercent = nil
    report.pageVersion = String(repeating: "v", count: 51)
    #expect(throws: StoreError.self) { try ReportDevice(report) }
    report.pageVersion = ""
    let refused = try line.line.cards.refusal {
      try line.bench.perform(try ReportDevice(report), as: line.line.cards.archer)
    }
    #expect(refused?.code == .permissionDenied)
  }

  @Test("A long name is kept whole, and the principal has the beginning of it")
  func longNames() throws {
    let line = try DeviceLine()
    let name = String(repeating: "ä", count: 200)
    let lease = try #require(try line.join(1, device: name).lease)
    #expect(lease.device == name && lease.displayName.count == TextLimits.displayNameLength)
    let refused = try line.line.cards.refusal { try line.join(2, device: name + "ä") }
    #expect(refused?.code == .invalidArgument)
  }
}

/// An event whose plates have codes, and phones with secrets of their own.
struct DeviceLine {
  let line: LeasedLine

  var bench: EventBench { line.bench }

  init(in bench: EventBench? = nil, demands: Bool = true) throws {
    line = try LeasedLine(in: bench)
    if demands { try line.demand() }
  }

  private static func bytes(_ phone: UInt8) -> [UInt8] { (0..<32).map { $0 &* 3 &+ phone } }

  func token(_ phone: UInt8) -> [UInt8] {
    Array((DeviceSecret.prefix + Base64URL.encode(Self.bytes(phone))).utf8)
  }

  func plate(_ target: UInt32) throws -> String {
    try bench.perform(
      try MakePlateCodes(event: line.event, first: target, last: target))[0].code
  }

  @discardableResult
  func join(
    _ phone: UInt8, target: UInt32 = 1, card: LeasedCard = .first, code: String? = nil,
    device: String? = nil, takesOver: Bool = false, session: Int64 = 0, match: Int64 = 0
  ) throws -> JoinedTarget {
    try bench.perform(
      try JoinAsDevice(
        code: try code ?? plate(target), card, device: device ?? "phone \(phone)",
        as: .secret(try DeviceSecret(Self.bytes(phone))), takesOver: takesOver, session: session,
        match: match, presence: bench.store.devicePresence), as: 0)
  }

  func devices() throws -> [EventDeviceRecord] {
    let event = line.event
    return try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.devices(event: event)
    }
  }
}
