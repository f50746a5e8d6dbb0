import QuiverRules
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
  private func session(
    _ bench: EventBench, guests: [String] = [],
    _ change: (inout CreateSession.Content) -> Void = { _ in }
  ) throws -> SessionRecord {
    var content = CreateSession.Content(.codename("wa18"))
    content.arrowLimit = 6
    content.guests = try guests.map {
      try SessionGuestDraft(name: $0, clientID: [], path: "guests[0].")
    }
    change(&content)
    return try bench.perform(try CreateSession(content))
  }

  @Test("A session without a tournament has the owner's round and its guests', for the owner only")
  func life() throws {
    let bench = try EventBench()
    let name = try bench.clientID()
    let made = try session(bench, guests: ["Will", "Much"]) { $0.clientID = name }
    #expect(made.rounds.map(\.participant.displayName) == ["Sheriff", "Will", "Much"])
    #expect(made.rounds.map(\.status) == [.planned, .planned, .planned])
    #expect(made.format.format.arrowCount == 6 && made.format.format.codename == "wa18")
    #expect(try session(bench, guests: ["Will", "Much"]) { $0.clientID = name } == made)
    let other = bench.refusal { try session(bench) { $0.clientID = name } }
    #expect(other?.code == .alreadyExists)
    let third = try bench.perform(
      AddSessionGuest(
        try SessionGuestDraft(name: "John", clientID: [], path: "guest."), to: .id(made.id)))
    #expect(third.rounds.count == 4)
    let fourth = bench.refusal {
      try bench.perform(
        AddSessionGuest(
          try SessionGuestDraft(name: "Tuck", clientID: [], path: "guest."), to: .id(made.id)))
    }
    #expect(fourth?.code == .failedPrecondition)
    #expect(bench.refusal { try session(bench, guests: ["a", "b", "c", "d"]) }?.field == "guests")
    let otherUser = try bench.archer()
    let own = made.rounds[0].participant.id
    for refusal in [
      bench.refusal { try bench.record(own, 0, 0, "9", as: otherUser) },
      bench.refusal { try bench.perform(DeleteSession(.id(made.id)), as: otherUser) },
      bench.refusal {
        try bench.perform(
          try SetRoundStatus(.id(own), revision: 0, status: 3), as: otherUser)
      },
    ] { #expect(refusal?.code == .notFound) }
    try bench.record(own, 0, 0, "9")
    try bench.perform(DeleteSession(.clientID(name)))
    #expect(bench.refusal { try bench.record(own, 0, 1, "9") }?.code == .notFound)
  }

  @Test("A client_id of a session or a guest is refused for other content")
  func otherContent() throws {
    let bench = try EventBench()
    var draft = BowSetupDraft()
    draft.name = "Indoor"
    let setup = try bench.perform(try CreateBowSetup(draft))
    let changes: [(inout CreateSession.Content) -> Void] = [
      { $0.setup = SetupChoice(.id(setup.id)) }, { $0.bow = .barebow },
      { $0.conditions.place = "Range" }, { $0.conditions.wind = .strong },
    ]
    for change in changes {
      let (plain, changed) = (try bench.clientID(), try bench.clientID())
      let first = try session(bench) { $0.clientID = plain }
      let second = try session(bench) { content in
        content.clientID = changed
        change(&content)
      }
      #expect(try session(bench) { $0.clientID = plain } == first)
      let again = try session(bench) { content in
        content.clientID = changed
        change(&content)
      }
      #expect(again == second)
      let refusals = [
        bench.refusal { try session(bench) { $0.clientID = changed } },
        bench.refusal {
          try session(bench) { content in
            content.clientID = plain
            change(&content)
          }
        },
      ]
      #expect(refusals.allSatisfy { $0?.code == .alreadyExists })
    }
    let (one, other) = (try session(bench), try session(bench))
    let name = try bench.clientID()
    func add(to session: SessionRecord) throws -> SessionRecord {
      try bench.perform(
        AddSessionGuest(
          try SessionGuestDraft(name: "Bob", clientID: name, path: "guest."), to: .id(session.id)))
    }
    #expect(try add(to: one).rounds.count == 2)
    #expect(try add(to: one).rounds.count == 2)
    let refused = bench.refusal { try add(to: other) }
    #expect(refused?.code == .alreadyExists && refused?.field == "guest.client_id")
    try bench.perform(DeleteSession(.id(one.id)))
    #expect(bench.refusal { try add(to: other) }?.code == .failedPrecondition)
  }

  @Test("Two concurrent first arrows create one round, which the last arrow completes")
  func rounds() throws {
    let bench = try EventBench()
    let made = try session(bench)
    let own = made.rounds[0].participant.id
    let results = Results()
    let target = RecordingTarget(expecting: 2)
    for arrow in 0..<2 {
      bench.store.submit(
        RecordArrows(try bench.operation(own, 0, arrow, "9")), .of(bench.organiser),
        target: target, encode: { _ in [] }, completion: { results.set(arrow, $0) })
    }
    target.wait()
    func read() throws -> RoundRecord {
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.session(.id(made.id), principal: bench.organiser)
      }.rounds[0]
    }
    var round = try read()
    #expect(round.status == .inProgress && round.id == made.rounds[0].id)
    #expect(round.participant.tally.arrowCount == 2)
    for (end, arrow) in [(0, 2), (1, 0), (1, 1), (1, 2)] {
      try bench.record(own, end, arrow, "X")
    }
    round = try read()
    #expect(round.status == .completed && round.completedAtMilliseconds != nil)
    let card = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.scorecard(.id(own), principal: bench.organiser, withHistory: false)
    }
    try bench.replace(card.arrows[5].operationID, of: own, 1, 2, "")
    #expect(try read().status == .inProgress)
  }

  @Test("A round is paused, resumed, completed and cancelled, and accepts arrows accordingly")
  func statuses() throws {
    let bench = try EventBench()
    let own = try session(bench).rounds[0].participant.id
    func set(_ status: RoundStatus, revision: UInt64 = 0) throws -> RoundRecord {
      try bench.perform(
        try SetRoundStatus(.id(own), revision: revision, status: status.rawValue))
    }
    let first = try bench.record(own, 0, 0, "9")
    #expect(try set(.paused, revision: 1).revision == 2)
    #expect(bench.refusal { try set(.inProgress, revision: 1) }?.code == .aborted)
    #expect(bench.refusal { try bench.record(own, 0, 1, "9") }?.code == .failedPrecondition)
    _ = try set(.inProgress)
    try bench.record(own, 0, 1, "9")
    #expect(try set(.completed).completedAtMilliseconds != nil)
    #expect(bench.refusal { try bench.record(own, 0, 2, "9") }?.code == .failedPrecondition)
    try bench.replace(first.arrows.first?.operationID ?? 0, of: own, 0, 0, "8")
    #expect(try bench.tally(own).total == 17)
    #expect(try set(.completed).status == .completed)
    _ = try set(.cancelled)
    #expect(bench.refusal { try set(.inProgress) }?.code == .failedPrecondition)
    #expect(
      bench.refusal { try SetRoundStatus(.id(own), revision: 0, status: 1) }?.field == "status")
  }

  @Test("The setup's arrow diameter decides line cutters; guests' rounds have no setup")
  func setups() throws {
    let bench = try EventBench()
    var thick = EquipmentContent(type: .arrow)
    thick.set("brand", .text("Easton"))
    thick.set("model", .text("Fat"))
    thick.set("diameter_mm", .real(20))
    let arrow = try bench.perform(try CreateEquipment(thick))
    var draft = BowSetupDraft()
    draft.name = "Indoor"
    draft.components = [.init(.id(arrow.id))]
    let setup = try bench.perform(try CreateBowSetup(draft))
    let made = try session(bench, guests: ["Will"]) { $0.setup = SetupChoice(.id(setup.id)) }
    #expect(made.rounds.map(\.setupID) == [setup.id, 0])
    #expect(made.rounds.map(\.setupVersion) == [1, 0])
    // 20 mm on 40 cm reach 0.05 radii, 9.3 mm but 0.02325.
    func value(_ round: RoundRecord) throws -> Int? {
      try bench.record(round.participant.id, 0, 0, "") { content in
        content.x = 0.14
        content.y = 0
      }.arrows.first?.score.value
    }
    #expect(try value(made.rounds[0]) == 10 && value(made.rounds[1]) == 9)
    let guest = made.rounds[1].participant.id
    let refused = bench.refusal {
      try bench.perform(
        SetRoundSetup(.id(guest), revision: 0, setup: SetupChoice(.id(setup.id))))
    }
    #expect(refused?.code == .failedPrecondition)
    let none = try bench.perform(
      SetRoundSetup(.id(made.rounds[0].participant.id), revision: 1, setup: nil))
    #expect(none.setupID == 0 && none.revision == 2)
  }

  @Test("Formats are the library's and the principal's; deleting one leaves it in its rounds")
  func formats() throws {
    let bench = try EventBench()
    let content = RoundFormat(
      name: " Club 20 ", location: .indoor,
      passes: [
        RoundPass(
          arrowCount: 20, arrowsPerEnd: 5, distance: 15, unit: .yard, face: .fiveZone,
          diameterCentimetres: 60)
      ])
    let name = try bench.clientID()
    let made = try bench.perform(try CreateFormat(content, clientID: name))
    #expect(made.format.name == "Club 20" && made.id != 0)
    #expect(try bench.perform(try CreateFormat(content, clientID: name)) == made)
    let otherUser = try bench.archer()
    let foreign = bench.refusal {
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.format(.own(.id(made.id)), principal: otherUser)
      }
    }
    #expect(foreign?.code == .notFound)
    let shot = try session(bench) { content in
      content.format = .own(.clientID(name))
      content.arrowLimit = 0
    }
    #expect(shot.format.format == made.format)
    try bench.perform(DeleteFormat(.id(made.id)))
    #expect(
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.ownFormats(principal: bench.organiser).count
      } == 0)
    #expect(bench.refusal { try bench.perform(DeleteFormat(.id(made.id))) }?.code == .notFound)
    let kept = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.session(.id(shot.id), principal: bench.organiser)
    }
    #expect(kept.format.format == made.format)
  }

  @Test("Sessions are listed newest first, in pages")
  func lists() throws {
    let bench = try EventBench()
    let made = try (0..<5).map { _ in try session(bench).id }
    let event = try bench.event { $0.joins = true }
    var token = ""
    var seen: [Int64] = []
    repeat {
      let page = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.sessions(
          principal: bench.organiser, includesTournaments: true, pageSize: 2, pageToken: token)
      }
      seen += page.items.map(\.id)
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(seen == [event.head.id] + made.reversed())
  }
}
