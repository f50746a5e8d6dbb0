import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("Calls with rounds of lists", .timeLimit(.minutes(5)))
struct PastRoundCallTests {
  private static let day: Int64 = 86_400_000
  private static let start = ComparisonArcher.asOf

  /// Adds a Bray I, 30 arrows, of a list.
  @discardableResult
  private static func add(
    _ archer: ComparisonArcher, _ total: UInt32, on day: Int64, _ status: ShootStatus = .club
  ) async throws -> Round {
    try #require(
      try await archer.client.call(
        Rounds.createSession,
        .with { request in
          request.format = .with { $0.codename = "bray_i" }
          request.past = .with { past in
            past.sums = .with { sums in
              sums.total = total
              sums.hits = 30
            }
            past.shotAtMilliseconds = start + day * Self.day
            past.status = status
          }
        }
      ).rounds.first)
  }

  @Test("Rounds of a list count for bests, classes, handicaps and the training log, and are marked")
  func counted() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      var wish = UpdateProfileRequest()
      wish.profile = try await archer.client.call(Account.getProfile, .init())
      wish.profile?.bowstyle = .recurve
      wish.profile?.gender = .open
      wish.profile?.ageGroup = .adult
      wish.updateMask = ["bowstyle", "gender", "age_group"]
      _ = try await archer.client.call(Account.updateProfile, wish)

      try await Self.add(archer, 270, on: 0)
      let best = try await Self.add(archer, 290, on: 1, .record)
      try await Self.add(archer, 280, on: 2)
      #expect(best.status == .completed && best.score?.typed == true)
      let found = try await archer.client.call(Rounds.getPersonalBests, .init()).bests
      #expect(found.map(\.score) == [290] && found.map(\.roundCount) == [3])
      #expect(found.map(\.participantID) == [best.participantID])
      #expect(found.map(\.typed) == [true] && found.map(\.shootStatus) == [.record])
      #expect(found.map(\.classCode) == ["I-GMB"] && found.first?.handicap != nil)
      let running = try await archer.client.call(
        Rounds.getRunningHandicap,
        .with { request in
          request.location = .indoor
          request.asOfMilliseconds = Self.start + 30 * Self.day
        })
      #expect(running.roundCount == 3 && running.handicap != nil)
      #expect(running.steps.map(\.score) == [280, 290, 270])

      let first = Int32(Self.start / Self.day)
      let days = try await archer.client.call(
        Logbook.getTrainingLog,
        .with { ($0.fromDay, $0.toDay) = (first, first + 3) }
      ).days
      #expect(days.flatMap(\.rounds).map { $0.score?.total } == [280, 290, 270])
      #expect(days.flatMap(\.rounds).allSatisfy { $0.score?.typed == true })
    }
  }

  @Test("Sums that no arrows have, days to come and guests are refused by their field")
  func refused() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      func refusal(
        _ change: (inout CreateSessionRequest) -> Void
      ) async -> (code: StatusCode?, message: String) {
        var request = CreateSessionRequest()
        request.format = .with { $0.codename = "bray_i" }
        request.past = .with { past in
          past.sums = .with { $0.total = 290 }
          past.shotAtMilliseconds = Self.start
        }
        change(&request)
        let found = await archer.client.refusal(Rounds.createSession, request)
        return (found?.code, found?.message ?? "")
      }
      let cases: [(String, (inout CreateSessionRequest) -> Void)] = [
        ("past.sums.total", { $0.past?.sums?.total = 301 }),
        ("past.sums.total", { $0.past?.sums?.total = .max }),
        ("past.sums.golds", { $0.past?.sums?.golds = 31 }),
        ("past.sums.hits", { $0.past?.sums?.hits = .max }),
        ("past.sums.x_count", { $0.past?.sums?.xCount = 31 }),
        ("past.shot_at_ms", { $0.past?.shotAtMilliseconds = .max }),
        ("past.shot_at_ms", { $0.past?.shotAtMilliseconds = -1 }),
        ("past.sums", { $0.past?.sums = nil }),
        ("past.status", { $0.past?.status = ShootStatus(rawValue: 9) }),
        ("guests", { $0.guests = [.with { $0.name = "Much" }] }),
      ]
      for (field, change) in cases {
        let found = await refusal(change)
        #expect(found.code == .invalidArgument, "\(field)")
        #expect(found.message.hasPrefix("\(field): "), "\(found.message)")
      }
      let sessions = try await archer.client.call(Rounds.listSessions, .init()).sessions
      #expect(sessions.isEmpty)
    }
  }
}
