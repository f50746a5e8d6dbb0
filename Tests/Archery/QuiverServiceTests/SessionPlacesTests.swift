import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Blocked places, targets for wheelchairs, and scorers", .timeLimit(.minutes(5)))
struct SessionPlacesTests {
  private static func set(
    _ event: TestEvent, _ session: Int64, _ blocked: [String], _ wheelchairs: [UInt32] = []
  ) async throws(RPCError) -> EventSession {
    let id = event.id
    return try await event.organiser.call(
      Events.setSessionPlaces,
      .with { request in
        (request.tournamentID, request.sessionID) = (id, session)
        (request.blockedPlaces, request.wheelchairTargets) = (blocked, wheelchairs)
      })
  }

  @Test("Draws, moves and imports leave blocked places free, and wheelchairs get their targets")
  func draws() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 1...4, archers: 2)
      let made = try await event.entries(
        (1...5).map { number in
          var draft = TestEvent.draft("\(number)", "Archer \(number)", session: line.id)
          draft.wheelchair = number == 4
          return draft
        })
      #expect(made.map(\.wheelchair) == [false, false, false, true, false])
      let set = try await Self.set(event, line.id, ["2", "3b", "3B"], [4])
      #expect(set.blockedPlaces == ["2", "3B"] && set.wheelchairTargets == [4])
      #expect(set.revision == line.revision + 1)
      // The same again changes nothing.
      #expect(try await Self.set(event, line.id, ["3B", "2"], [4]).revision == set.revision)
      for seed in UInt64(1)...8 {
        var request = event.drawRequest(line.id, seed: seed)
        request.redraw = true
        let drawn = try await event.organiser.call(Events.drawTargets, request).entries
        let places = Set(drawn.map { "\($0.target)\($0.letter)" })
        #expect(places.isSubset(of: ["1A", "1B", "3A", "4A", "4B"]) && places.count == 5)
        #expect(drawn.first { $0.bib == "4" }?.target == 4)
      }
      let moved = await event.organiser.refusal(
        Events.placeEventEntry,
        .with { request in
          (request.participantID, request.sessionID) = (made[0].participantID, line.id)
          (request.target, request.letter) = (2, "A")
        })
      #expect(moved?.code == .failedPrecondition && moved?.message.contains("2A") == true)
      var draft = TestEvent.draft("6", "Archer 6", session: line.id)
      (draft.target, draft.letter) = (3, "B")
      let (id, sixth) = (event.id, draft)
      let imported = await event.organiser.refusal(
        Events.importEventEntries, .with { ($0.tournamentID, $0.entries) = (id, [sixth]) })
      #expect(imported?.code == .failedPrecondition)
    }
  }

  @Test("An update of a session keeps its places, and a wheelchair is shown to officials only")
  func keeps() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 1...4, archers: 2)
      var draft = TestEvent.draft("1", "Ann", session: line.id)
      draft.wheelchair = true
      let made = try await event.entries([draft])
      // Who made the list again, and an older client, change nothing.
      #expect(try await event.entries([draft]).map(\.participantID) == made.map(\.participantID))
      draft.wheelchair = false
      #expect(try await event.entries([draft]).map(\.wheelchair) == [true])
      var changed = try await Self.set(event, line.id, ["4"], [1, 2])
      changed.name = "Morning"
      (changed.blockedPlaces, changed.wheelchairTargets) = ([], [])
      let given = changed
      let updated = try await event.organiser.call(
        Events.updateEventSession, .with { $0.session = given })
      #expect(updated.name == "Morning" && updated.blockedPlaces == ["4"])
      #expect(updated.wheelchairTargets == [1, 2])
      let id = event.id
      let outsider = try server.client(named: "Will")
      let seen = try await outsider.call(Events.listEventEntries, .with { $0.tournamentID = id })
      #expect(seen.entries.map(\.wheelchair) == [false])
      var entry = made[0]
      entry.wheelchair = false
      let plain = entry
      let without = try await event.organiser.call(
        Events.updateEventEntry, .with { ($0.entry, $0.updateMask) = (plain, ["wheelchair"]) })
      #expect(!without.wheelchair)
    }
  }

  @Test("Places that a session does not have, and places of entries, are refused")
  func refused() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 1...4, archers: 2)
      var draft = TestEvent.draft("1", "Ann", session: line.id)
      (draft.target, draft.letter) = (2, "B")
      _ = try await event.entries([draft])
      func refusal(_ blocked: [String], _ wheelchairs: [UInt32] = []) async -> StatusCode? {
        do {
          _ = try await Self.set(event, line.id, blocked, wheelchairs)
          return nil
        } catch {
          return error.code
        }
      }
      let before = try server.lastSequence()
      for text in ["", "0", "5", "1C", "A", "-1", "1.5", "10000", "١A", "1A "] {
        #expect(await refusal([text]) == .invalidArgument, "\(text)")
      }
      #expect(await refusal([], [5]) == .invalidArgument)
      #expect(await refusal(Array(repeating: "1", count: 1_001)) == .invalidArgument)
      #expect(await refusal([], Array(repeating: 1, count: 201)) == .invalidArgument)
      #expect(await refusal(["2"]) == .failedPrecondition)
      #expect(await refusal(["2B"]) == .failedPrecondition)
      #expect(try server.lastSequence() == before)
      #expect(await refusal(["2A"]) == nil)
    }
  }

  @Test("Explicit faces that differ on one target are told by a draw")
  func faces() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 1...1, archers: 2)
      _ = try await event.entries(
        [FaceLayout.single, .triple].enumerated().map { index, layout in
          var draft = TestEvent.draft("\(index)", "Archer \(index)", session: line.id)
          draft.faceLayout = layout
          return draft
        })
      let drawn = try await event.organiser.call(
        Events.drawTargets, event.drawRequest(line.id, seed: 1))
      #expect(drawn.mixedTargets.map(\.faces) == [true])
      #expect(drawn.mixedTargets.map(\.distances) == [false])
    }
  }

  @Test("A scorer of the event scores every archer, and an official of results nobody")
  func scorers() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      let made = try await event.entries([TestEvent.draft("1", "Ann")])
      try await event.tournament.start()
      let id = event.id
      for (name, role, expected) in [
        ("Sue", EventRole.scorer, Verdict.stored), ("Ray", .results, .refused),
        ("Jo", .checkIn, .refused),
      ] {
        let client = try server.client(named: name)
        let code = try await client.call(
          Account.getIntroductionCode, GetIntroductionCodeRequest()
        ).code
        _ = try await event.organiser.call(
          Events.setEventOfficial,
          .with { ($0.tournamentID, $0.principalCode, $0.role) = (id, code, role) })
        var operation = ScoringOperation()
        operation.clientID = try UUIDv7.make(unixMilliseconds: 1_790_000_000_000)
        operation.kind = .record
        operation.participantID = made[0].participantID
        operation.value = 9
        let operations = [operation]
        let verdicts = try await client.call(
          Tournament.applyOperations, .with { $0.operations = operations }
        ).verdicts
        #expect(verdicts.map(\.verdict) == [expected], "\(role)")
      }
    }
  }
}
