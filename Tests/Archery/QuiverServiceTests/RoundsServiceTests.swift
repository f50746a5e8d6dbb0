import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("Rounds", .timeLimit(.minutes(5)))
struct RoundsServiceTests {
  @Test("The library has all its formats and 17 faces; own formats follow and can be deleted")
  func formats() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let faces = try await client.call(Rounds.listFaces, .init()).faces
      #expect(faces.count == 17 && faces.map(\.face.rawValue) == Array(1...17))
      #expect(faces.first { $0.code == "10_zone" }?.xRing == 0.05)
      #expect(faces.first { $0.code == "3D" }?.rings.isEmpty == true)
      #expect(try await client.call(Rounds.listFormats, .init()).formats.count == 239)
      var draft = RoundFormat()
      draft.name = "Club"
      draft.location = .indoor
      draft.passes = [
        .with { pass in
          pass.arrows = 20
          pass.distance = 15
          pass.unit = .yard
          pass.face = .fiveZone
          pass.diameterCentimetres = 60
        }
      ]
      let made = try await client.call(Rounds.createFormat, .with { $0.format = draft })
      #expect(made.passes[0].arrowsPerEnd == 3 && made.endCount == 7 && made.maximumScore == 180)
      let cut = try await client.call(
        Rounds.getFormat,
        .with { request in
          request.format = .with { format in
            format.id = made.id
            format.arrowLimit = 5
          }
        })
      #expect(cut.arrowCount == 5 && cut.endCount == 2)
      #expect(try await client.call(Rounds.listFormats, .init()).formats.last == made)
      let other = try server.client(named: "John")
      #expect(try await other.call(Rounds.listFormats, .init()).formats.count == 239)
      _ = try await client.call(Rounds.deleteFormat, .with { $0.id = made.id })
      #expect(try await client.call(Rounds.listFormats, .init()).formats.count == 239)
      draft.passes[0].face = .init(rawValue: 99)
      let bad = await client.refusal(Rounds.createFormat, .with { [draft] in $0.format = draft })
      #expect(bad?.message.hasPrefix("format.passes[0].face: ") == true)
    }
  }

  @Test("A session without a tournament is shot with a guest, read, paused and deleted")
  func session() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let made = try await client.call(
        Rounds.createSession,
        .with { request in
          request.format = .library("wa18", arrows: 6)
          request.guests = [.with { $0.name = "Will" }]
        })
      #expect(made.rounds.map(\.displayName) == ["Robin", "Will"])
      #expect(made.rounds.map(\.guest) == [false, true])
      let own = made.rounds[0].participantID
      let arrow = RecordArrowRequest.with { request in
        request.operation = .with { operation in
          operation.participantID = own
          operation.x = 0
          operation.y = 0.2
        }
      }
      let scored = try await client.call(Rounds.recordArrow, arrow)
      #expect(scored.arrows[0].value == 9 && scored.arrows[0].input == .target)
      let paused = try await client.call(
        Rounds.setRoundStatus,
        .with { request in
          request.participantID = own
          request.status = .paused
        })
      #expect(paused.status == .paused && paused.score?.total == 9)
      let refused = await client.refusal(
        Rounds.recordArrow,
        .with { $0.operation = TestTournament.operation(own, 0, 1, 9) })
      #expect(refused?.code == .failedPrecondition)
      let stale = await client.refusal(
        Rounds.setRoundStatus,
        .with { request in
          request.participantID = own
          request.revision = 1
          request.status = .inProgress
        })
      #expect(stale?.code == .aborted && stale?.details.map(\.type) == ["quiver.v1.Round"])
      let list = try await client.call(Rounds.listSessions, .init())
      #expect(list.sessions.map(\.id) == [made.id])
      let otherUser = try server.client(named: "John")
      #expect(
        await otherUser.refusal(Rounds.getSession, .with { $0.id = made.id })?.code == .notFound)
      #expect(
        await otherUser.refusal(Rounds.getScorecard, .with { $0.participantID = own })?.code
          == .notFound)
      _ = try await client.call(Rounds.deleteSession, .with { $0.id = made.id })
      #expect(
        await client.refusal(Rounds.getSession, .with { $0.id = made.id })?.code == .notFound)
      let third = await client.refusal(
        Rounds.createSession,
        .with { request in
          request.format = .library("wa18")
          request.guests = (0..<4).map { number in .with { $0.name = "G\(number)" } }
        })
      #expect(third?.message.hasPrefix("guests: ") == true)
    }
  }
}
