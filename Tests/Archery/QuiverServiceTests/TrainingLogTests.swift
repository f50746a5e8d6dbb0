import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("The training log", .timeLimit(.minutes(5)))
struct TrainingLogTests {
  /// 2023-11-14 22:13:20 UTC, when it is the 15th in Tallinn already.
  private static let instant = ComparisonArcher.asOf
  private static let utcDay: Int32 = 19_675

  private static func days(
    _ client: Client, zone: String = ""
  ) async throws -> [TrainingDay] {
    try await client.call(
      Logbook.getTrainingLog,
      .with { request in
        (request.fromDay, request.toDay) = (utcDay - 5, utcDay + 5)
        request.timeZone = zone
      }
    ).days
  }

  @Test("A round is listed with weights and lifts on the local day of its first arrow")
  func rounds() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let client = archer.client
      let round = try await archer.begin(nil)
      #expect(try await Self.days(client).isEmpty)
      try await archer.shoot(round, [10, 9, 0], at: Self.instant)
      _ = try await client.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(Self.utcDay, 170_000))
      _ = try await client.call(
        Logbook.createSet, StrengthServiceTests.set(Self.utcDay, "Squat", 5, 100))
      let day = try #require(try await Self.days(client).first)
      #expect(day.day == Self.utcDay && day.weightEntryCount == 1 && day.exercises.count == 1)
      let shot = try #require(day.rounds.first)
      let session = try await client.call(Rounds.getSession, .with { $0.id = round.sessionID })
      #expect(day.rounds.count == 1 && shot.sessionID == session.id && !shot.tournament)
      #expect(shot.participantID == round.participantID)
      #expect(shot.formatName == session.format?.name && shot.formatArrowCount == 60)
      #expect(shot.score?.total == 19 && shot.score?.arrowCount == 3)
      #expect(shot.firstShotAtMilliseconds == Self.instant)

      let there = try await Self.days(client, zone: "Europe/Tallinn")
      #expect(there.map(\.day) == [Self.utcDay + 1, Self.utcDay])
      #expect(there.map(\.rounds.count) == [1, 0] && there.map(\.weightEntryCount) == [0, 1])
      var profile = try await client.call(Account.getProfile, GetProfileRequest())
      profile.timeZone = "Europe/Tallinn"
      _ = try await client.call(
        Account.updateProfile,
        .with { [profile] in ($0.profile, $0.updateMask) = (profile, ["time_zone"]) })
      #expect(try await Self.days(client) == there)
      #expect(try await Self.days(client, zone: "UTC").map(\.day) == [Self.utcDay])

      // Scored off line before the others, and sent behind them.
      let early = try ComparisonArcher.record(
        round.participantID, end: 5, arrow: 0, 8, at: Self.instant - 86_400_000)
      _ = try await client.call(Rounds.recordArrow, .with { $0.operation = early })
      let moved = try await Self.days(client, zone: "UTC")
      #expect(moved.map(\.day) == [Self.utcDay, Self.utcDay - 1])
      #expect(moved.map(\.rounds.count) == [0, 1] && moved[1].rounds[0].score?.total == 27)
      #expect(try server.store.verify().isEmpty)
    }
  }

  @Test("Guests' rounds, cancelled rounds and other archers' rounds are not included")
  func others() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let session = try await archer.client.call(
        Rounds.createSession,
        .with { request in
          request.format = .library("wa18")
          request.guests = [.with { $0.name = "Will" }]
        })
      try await archer.shoot(session.rounds[1], [10], at: Self.instant)
      #expect(try await Self.days(archer.client).isEmpty)
      try await archer.shoot(session.rounds[0], [9], at: Self.instant + 60_000)
      #expect(try await Self.days(archer.client).first?.rounds.map { $0.score?.total } == [9])
      #expect(try await Self.days(try server.client(named: "Marian")).isEmpty)
      try await archer.set(.cancelled, session.rounds[0])
      #expect(try await Self.days(archer.client).isEmpty)
      let refusal = await archer.client.refusal(
        Logbook.getTrainingLog,
        .with { ($0.fromDay, $0.toDay, $0.timeZone) = (0, 1, "Mars/Olympus") })
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("time_zone: ") == true)
    }
  }

  @Test("Its watch reports scores with and without an event, and status changes of rounds")
  func watch() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let tournament = try await TestTournament(server)
      let part = try await tournament.join(archer.client)
      try await tournament.start()
      let round = try await archer.begin(nil)
      var days = try archer.client.client.stream(
        Logbook.watchTrainingLog,
        .with { ($0.fromDay, $0.toDay) = (Self.utcDay - 5, Self.utcDay + 5) }
      ).makeAsyncIterator()
      #expect(try await days.next()?.days.isEmpty == true)
      try await archer.shoot(round, [10, 9], at: Self.instant)
      var seen = try await days.next()?.days.flatMap(\.rounds)
      #expect(seen?.map { $0.score?.total } == [19] && seen?.map(\.tournament) == [false])
      var operation = TestTournament.operation(part.id, 0, 0, 7)
      operation.scoredAtMilliseconds = Self.instant + 1_000
      _ = try await tournament.organiser.call(
        Tournament.recordArrow, .with { [operation] in $0.operation = operation })
      seen = try await days.next()?.days.flatMap(\.rounds)
      #expect(
        seen?.map { $0.score?.total } == [19, 7] && seen?.map(\.tournament) == [false, true])
      #expect(seen?.last?.sessionID == tournament.event.id && seen?.last?.formatArrowCount == 30)
      _ = try await archer.client.call(Rounds.deleteSession, .with { $0.id = round.sessionID })
      seen = try await days.next()?.days.flatMap(\.rounds)
      #expect(seen?.map { $0.score?.total } == [7])
    }
  }
}
