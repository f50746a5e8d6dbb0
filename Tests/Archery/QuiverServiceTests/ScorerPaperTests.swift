import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Sums on paper that scorers type", .timeLimit(.minutes(5)))
struct ScorerPaperTests {
  private static func paper(_ participant: Int64, _ total: UInt32) -> SetPaperTotalRequest {
    .with { ($0.participantID, $0.total) = (participant, total) }
  }

  @Test("A phone types the papers of its target where the event lets it, and those of no other one")
  func phones() async throws {
    try await TestServer.run { server in
      let device = try await DeviceEvent(server)
      let phone = try await device.phone(1)
      let (own, other) = (device.entries[0], device.entries[2])
      let early = await phone.refusal(Events.setPaperTotal, Self.paper(own, 54))
      #expect(early?.code == .permissionDenied && early?.message.contains("official") == true)
      let id = device.event.id
      func set(_ mayType: Bool) async throws {
        let read = try await device.event.organiser.call(
          Tournament.getTournament, .with { $0.id = id })
        let changed = try await device.event.organiser.call(
          Tournament.updateTournament,
          .with { request in
            request.tournament = .with { event in
              (event.id, event.revision, event.scorersTypePapers) = (id, read.revision, mayType)
            }
            request.updateMask = ["scorers_type_papers"]
          })
        #expect(changed.scorersTypePapers == mayType)
      }
      try await set(true)
      let keeper = try await device.phone(2, card: 2)
      let kept = try await keeper.call(
        Events.applyCardOperations,
        .with { request in
          request.operations = [
            .with { operation in
              (operation.clientID, operation.participantID) = (device.clientID(), own)
              operation.arrows = Array(repeating: .with { $0.value = 9 }, count: 3)
            }
          ]
        })
      #expect(kept.verdicts.map(\.verdict) == [.stored])
      // The paper stands for the second card, which the scorer of the first one does not see by it.
      let second = await keeper.refusal(Events.setPaperTotal, Self.paper(own, 54))
      #expect(second?.code == .permissionDenied && second?.message.contains("scores") == true)
      let typed = try await phone.call(Events.setPaperTotal, Self.paper(own, 54))
      #expect(typed.summary?.paper?.total == 54)
      #expect(typed.ends.allSatisfy { $0.second.isEmpty })
      let shown = try await device.event.organiser.call(
        Events.getComparedCard, .with { $0.participantID = own })
      #expect(shown.ends.first?.second.count == 3)
      let foreign = await phone.refusal(Events.setPaperTotal, Self.paper(other, 54))
      #expect(foreign?.code == .permissionDenied && foreign?.message.contains("scores") == true)
      let watch = WatchTargetsRequest.with { $0.tournamentID = id }
      var messages = try phone.client.stream(Events.watchTargets, watch).makeAsyncIterator()
      let watched = try #require(try await messages.next())
      #expect(watched.event?.scorersTypePapers == true)
      #expect(watched.targets[0].entries[0].card?.paper?.total == 54)
      try await set(false)
      #expect(
        await phone.refusal(Events.setPaperTotal, Self.paper(own, 53))?.code == .permissionDenied)
      #expect(try server.store.verify() == [])
    }
  }

  @Test("An archer does not type its own paper, and who scores it does")
  func archer() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { request in
        request.format = .library("wa18", arrows: 6)
        request.scorersTypePapers = true
      }
      let archer = try server.principal(named: "Robin")
      let client = try server.client(of: archer.id, [.read, .write])
      let own = try await event.tournament.join(client).id
      let scorer = try server.principal(named: "Much")
      let other = try server.client(of: scorer.id, [.read, .write])
      let code = try server.code(of: scorer.id)
      let id = event.id
      _ = try await event.organiser.call(
        Tournament.appointScorer,
        .with { request in
          (request.tournamentID, request.principalCode) = (id, code)
          request.participantIDs = [own]
        })
      try await event.tournament.start()
      let refused = await client.refusal(Events.setPaperTotal, Self.paper(own, 54))
      #expect(refused?.code == .permissionDenied)
      let typed = try await other.call(Events.setPaperTotal, Self.paper(own, 54))
      #expect(typed.summary?.paper?.total == 54)
    }
  }
}
