import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Arrows owed after an equipment failure", .timeLimit(.minutes(5)))
struct OwedArrowTests {
  private static func failure(
    _ device: DeviceEvent, _ archer: Int, owes count: UInt32, in end: UInt32? = nil
  ) -> RaiseTargetCallRequest {
    .with { request in
      request.clientID = device.clientID()
      (request.tournamentID, request.sessionID, request.target) = (
        device.event.id, device.session, 1
      )
      (request.kind, request.participantID) = (.equipmentFailure, device.entries[archer])
      (request.owedArrows, request.endIndex) = (count, end)
    }
  }

  /// What an archer owes, as its card says: end, arrows.
  private static func owed(_ device: DeviceEvent, _ archer: Int) async throws -> [[UInt32]] {
    let id = device.entries[archer]
    return try await device.event.organiser.call(
      Events.getComparedCard, .with { $0.participantID = id }
    ).owed.map { [$0.endIndex, $0.arrowCount] }
  }

  @Test("The card says how many arrows are owed and in which end, until they are shot")
  func card() async throws {
    try await TestServer.run { server in
      let device = try await DeviceEvent(server)
      let phone = try await device.phone(1)
      #expect(try await device.record(device.entries[0], 0, 9, by: phone).verdict == .stored)
      let raised = try await phone.call(
        Events.raiseTargetCall, Self.failure(device, 0, owes: 2, in: 0))
      #expect(raised.owedArrows == 2 && raised.endIndex == 0)
      #expect(try await Self.owed(device, 0) == [[0, 2]])
      #expect(try await Self.owed(device, 1) == [])
      // The next end is shot meanwhile.
      for arrow in 3..<UInt32(6) {
        #expect(try await device.record(device.entries[0], arrow, 9, by: phone).verdict == .stored)
      }
      #expect(try await Self.owed(device, 0) == [[0, 2]])
      #expect(try await device.record(device.entries[0], 1, 9, by: phone).verdict == .stored)
      #expect(try await Self.owed(device, 0) == [[0, 1]])
      #expect(try await device.record(device.entries[0], 2, 9, by: phone).verdict == .stored)
      #expect(try await Self.owed(device, 0) == [])
      #expect(try server.store.verify() == [])
    }
  }

  @Test("A call that names no end is of the first end that lacks arrows, also when it is repeated")
  func withoutEnd() async throws {
    try await TestServer.run { server in
      let device = try await DeviceEvent(server)
      let phone = try await device.phone(1)
      for arrow in 0..<UInt32(4) {
        #expect(try await device.record(device.entries[0], arrow, 9, by: phone).verdict == .stored)
      }
      let call = Self.failure(device, 0, owes: 5)
      let raised = try await phone.call(Events.raiseTargetCall, call)
      #expect(raised.endIndex == 1)
      // More arrows than the end lacks are those that it lacks.
      #expect(try await Self.owed(device, 0) == [[1, 2]])
      #expect(try await phone.call(Events.raiseTargetCall, call).id == raised.id)
      var other = call
      other.endIndex = 0
      #expect(await phone.refusal(Events.raiseTargetCall, other)?.code == .alreadyExists)
      // A decision does not shoot the arrows.
      _ = try await device.event.organiser.call(
        Events.resolveTargetCall,
        .with { request in
          (request.tournamentID, request.callID) = (device.event.id, raised.id)
          request.decision = "may shoot them"
        })
      #expect(try await Self.owed(device, 0) == [[1, 2]])
      // Who stops owes nothing.
      _ = try await device.event.organiser.call(
        Tournament.withdrawParticipant,
        .with { ($0.participantID, $0.reason) = (device.entries[0], "a broken bow") })
      #expect(try await Self.owed(device, 0) == [])
    }
  }

  @Test("An end that the card does not have, or an end without owed arrows, is refused")
  func refused() async throws {
    try await TestServer.run { server in
      let device = try await DeviceEvent(server)
      let phone = try await device.phone(1)
      for call in [
        Self.failure(device, 0, owes: 1, in: 2), Self.failure(device, 0, owes: 1, in: .max),
        Self.failure(device, 0, owes: 0, in: 0),
      ] {
        let refusal = await phone.refusal(Events.raiseTargetCall, call)
        #expect(refusal?.code == .invalidArgument && refusal?.message.contains("end_index") == true)
      }
      var match = Self.failure(device, 0, owes: 1, in: 0)
      match.sessionID = 0
      let refusal = await device.event.organiser.refusal(Events.raiseTargetCall, match)
      #expect(refusal?.code == .invalidArgument && refusal?.message.contains("end_index") == true)
      #expect(try await Self.owed(device, 0) == [])
    }
  }

  @Test("The phones of both cards are told what is owed, and which distances are confirmed")
  func watched() async throws {
    try await TestServer.run { server in
      let device = try await DeviceEvent(server)
      let phone = try await device.phone(1)
      let watch = WatchTargetsRequest.with { $0.tournamentID = device.event.id }
      var messages = try phone.client.stream(Events.watchTargets, watch).makeAsyncIterator()
      let before = try #require(try await messages.next()).targets.flatMap(\.entries)
      #expect(before.map(\.owed.count) == [0, 0])
      _ = try await phone.call(Events.raiseTargetCall, Self.failure(device, 1, owes: 3, in: 0))
      let raised = try #require(try await messages.next())
      #expect(raised.calls.map(\.owedArrows) == [3])
      func owed(_ message: WatchTargetsResponse) -> [[String]] {
        message.targets.flatMap(\.entries).map { entry in
          entry.owed.map { "\($0.endIndex) \($0.arrowCount)" }
        }
      }
      #expect(owed(raised) == [[], ["0 3"]])
      for arrow in 0..<UInt32(6) {
        _ = try await device.record(device.entries[0], arrow, 9, by: phone)
      }
      let id = device.entries[0]
      let revision = try await device.event.organiser.call(
        Events.getComparedCard, .with { $0.participantID = id }
      ).revision
      _ = try await phone.call(
        Events.confirmScoreCard,
        .with { request in
          (request.participantID, request.role, request.part) = (id, .archer, 1)
          (request.revision, request.signature) = (revision, [1])
        })
      var first: [WatchedEntry] = []
      while first.first?.parts.first?.archerConfirmed != true {
        first = try #require(try await messages.next()).targets.flatMap(\.entries)
      }
      #expect(first[0].parts.map(\.part) == [1] && first[0].parts[0].arrows?.total == 54)
      let keeper = try await device.phone(2, card: 2)
      var second = try keeper.client.stream(Events.watchTargets, watch).makeAsyncIterator()
      let message = try #require(try await second.next())
      #expect(owed(message) == [[], ["0 3"]])
      // Who keeps the second card does not see the sums of the first one.
      let part = try #require(message.targets[0].entries[0].parts.first)
      #expect(part.archerConfirmed && !part.scorerConfirmed && part.arrows == nil)
    }
  }
}
