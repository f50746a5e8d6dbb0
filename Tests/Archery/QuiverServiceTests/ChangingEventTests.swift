import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import TestSupport
import Testing

/// Random commands in an event, between which pages of its parts are read.
private final class ChangingEvent {
  let test: TestEvent
  let server: TestServer
  private let judge: Client
  private let robin: Client
  private let readers: [Client]
  private var categories: [EventCategory] = []
  private let session: EventSession
  private var participants: [Int64] = []
  private var random: SeededGenerator
  private var imported = 0

  init(_ server: TestServer, seed: UInt64) async throws {
    self.server = server
    random = SeededGenerator(seed: seed)
    test = try await TestEvent(server) { $0.format = .library("wa18", arrows: 3) }
    let official = try server.principal(named: "Tuck")
    judge = try server.client(of: official.id, [.read, .write])
    robin = try server.client(named: "Robin")
    let code = test.tournament.event.joinCode
    let token = try await server.nobody().call(
      Tournament.getSpectatorToken, .with { $0.joinCode = code })
    readers = [
      test.organiser, robin, judge, try server.client(named: "Guy"),
      try server.client(token: token.token),
    ]
    session = try await test.session("Line", targets: 1...20, archers: 4)
    categories = [try await test.category("C"), try await test.category("R")]
    let shown = try server.code(of: official.id)
    _ = try await test.organiser.call(
      Events.setEventOfficial,
      .with { ($0.tournamentID, $0.principalCode, $0.role) = (test.id, shown, .judge) })
    participants.append(try await test.tournament.join(robin).id)
    for _ in 0..<5 { try await importEntry() }
    try await test.tournament.start()
  }

  private func participant() -> Int64 { participants.randomElement(using: &random) ?? 0 }

  private func importEntry() async throws {
    imported += 1
    let code = ["", "C", "R"].randomElement(using: &random) ?? ""
    let line = Bool.random(using: &random) ? session.id : 0
    let draft = TestEvent.draft(
      "\(imported)", "E\(imported)", club: "Club \(imported % 3)", category: code, session: line)
    participants += try await test.entries([draft]).map(\.participantID)
  }

  /// One random command; it may be refused.
  func change() async throws {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3: await record()
    case 4: try await importEntry()
    case 5: await changeStatus()
    case 6: await updateEntry()
    case 7: await setState()
    case 8: await renameCategory()
    case 9: await renameSession()
    case 10: _ = try? await test.draw(session.id, seed: UInt64.random(in: 1...9, using: &random))
    case 11: await decideTie()
    case 12: await renameJudge()
    default: await setVisibility()
    }
  }

  private func record() async {
    let (end, value) = (UInt32.random(in: 0..<3, using: &random), [9, 10] as [UInt32])
    _ = try? await test.tournament.record(
      participant(), 0, end, value.randomElement(using: &random) ?? 9)
  }

  private func changeStatus() async {
    let id = participant()
    let organiser = test.organiser
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      _ = await organiser.refusal(
        Tournament.withdrawParticipant, .with { $0.participantID = id })
    case 1:
      _ = await organiser.refusal(
        Tournament.disqualifyParticipant,
        .with { ($0.participantID, $0.reason) = (id, "seen") })
    default:
      _ = await organiser.refusal(
        Tournament.reinstateParticipant,
        .with { ($0.participantID, $0.reason) = (id, "seen") })
    }
  }

  private func updateEntry() async {
    let entry = EventEntry.with { entry in
      entry.participantID = participant()
      entry.club = "Club \(Int.random(in: 0..<3, using: &random))"
      entry.categoryID = categories.randomElement(using: &random)?.id ?? 0
    }
    let mask = Bool.random(using: &random) ? ["club"] : ["club", "category_id"]
    _ = await test.organiser.refusal(
      Events.updateEventEntry, .with { ($0.entry, $0.updateMask) = (entry, mask) })
  }

  private func setState() async {
    let states = [
      QuiverAPI.EventEntryState.entered, .checkedIn, .didNotStart, .didNotFinish,
    ]
    let (id, state) = (participant(), states.randomElement(using: &random) ?? .entered)
    _ = await test.organiser.refusal(
      Events.setEventEntryState, .with { ($0.participantID, $0.state) = (id, state) })
  }

  private func renameCategory() async {
    let index = Int.random(in: categories.indices, using: &random)
    var category = categories[index]
    category.code = ["C", "CC", "R", "RR"].randomElement(using: &random) ?? "C"
    category.tiePolicy =
      [.unspecified, .waIndoor, .waOutdoorLegacy].randomElement(using: &random) ?? .unspecified
    let given = category
    if let updated = try? await test.organiser.call(
      Events.updateEventCategory, .with { $0.category = given })
    {
      categories[index] = updated
    }
  }

  private func renameSession() async {
    guard
      let shown = try? await test.organiser.call(
        Events.listEventSessions, .with { $0.tournamentID = test.id }
      ).sessions.first
    else { return }
    var changed = shown
    changed.name = "Line \(Int.random(in: 0..<9, using: &random))"
    let given = changed
    _ = await test.organiser.refusal(Events.updateEventSession, .with { $0.session = given })
  }

  private func decideTie() async {
    let rows = try? await test.organiser.call(
      Events.getCategoryStandings,
      .with { ($0.tournamentID, $0.categoryID) = (test.id, categories[0].id) }
    ).rows
    guard let rank = rows?.first?.row?.rank else { return }
    let tied = rows?.compactMap(\.row).filter { $0.rank == rank }.map(\.participantID) ?? []
    _ = await judge.refusal(
      Elimination.decideTie,
      .with { request in
        (request.tournamentID, request.categoryID) = (test.id, categories[0].id)
        (request.participantIDs, request.decision) = (tied, .coinToss)
      })
  }

  private func renameJudge() async {
    guard var profile = try? await judge.call(Account.getProfile, GetProfileRequest()) else {
      return
    }
    profile.displayName = "Tuck \(Int.random(in: 0..<9, using: &random))"
    let given = profile
    _ = await judge.refusal(
      Account.updateProfile, .with { ($0.profile, $0.updateMask) = (given, ["display_name"]) })
  }

  private func setVisibility() async {
    guard
      var event = try? await test.organiser.call(
        Tournament.getTournament, .with { $0.id = test.id })
    else { return }
    event.isPublic.toggle()
    let given = event
    _ = await test.organiser.refusal(
      Tournament.updateTournament,
      .with { ($0.tournament, $0.updateMask) = (given, ["is_public"]) })
  }

  /// Each reader's reply or refusal to the same question twice, and to one whose page size nobody
  /// has asked for before, so that its reply is not kept: for each reader and part, all of these.
  func replies(step: UInt32) async throws -> [[[UInt8]]] {
    var found: [[[UInt8]]] = []
    for (place, reader) in readers.enumerated() {
      for part in 0..<4 {
        var request = GetCategoryStandingsRequest()
        request.tournamentID = test.id
        switch part {
        case 0: request.categoryID = categories[0].id
        case 1: request.sessionID = session.id
        case 2: request.club = "Club 1"
        default: break
        }
        var replies: [[UInt8]] = []
        for size in [400, 300 - step * 5 - UInt32(place), 400] {
          request.pageSize = size
          do {
            let page = try await reader.call(Events.getCategoryStandings, request)
            replies.append(page.serializedBytes())
          } catch {
            replies.append(Array("\(error)".utf8))
          }
        }
        found.append(replies)
      }
    }
    return found
  }
}

@Suite("Standings of parts between commands", .timeLimit(.minutes(5)))
struct ChangingEventTests {
  @Test(
    "Kept replies of all viewers are those of fresh reads, whatever has changed",
    arguments: TestSeed.seeds(2))
  func followsChanges(seed: UInt64) async throws {
    try await TestServer.run { server in
      let event = try await ChangingEvent(server, seed: seed)
      var different: Set<[UInt8]> = []
      for step in 0..<UInt32(40) {
        try await event.change()
        for replies in try await event.replies(step: step) {
          #expect(Set(replies).count == 1, "seed \(seed), step \(step)")
          different.formUnion(replies)
        }
      }
      #expect(different.count > 20, "seed \(seed)")
      #expect(try server.store.verify() == [])
    }
  }
}
