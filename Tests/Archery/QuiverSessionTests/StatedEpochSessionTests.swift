import QuiverAPI
import QuiverRPC
import Testing

@testable import QuiverSession

/// Which epoch a session's calls state to a real server, which was set back.
@Suite("The epoch that a session's calls state", .timeLimit(.minutes(5)))
struct StatedEpochSessionTests {
  @Test("A call for what the session shows of a former epoch is refused, and done after a sync")
  func formerEpoch() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      let coach = try await server.session(try server.token(), on: "coach")
      await session.syncNow()
      await coach.syncNow()
      try await server.beginEpoch(secondsAgo: 60)
      let code = try await coach.introductionCode().code
      // Its key is newer than the epoch, so that nothing but what the call states says of before.
      let refusal = await failure {
        _ = try await session.share([.rounds], withCode: code, untilDay: Self.until)
      }
      #expect(refusal?.contains("idempotency_key: ") == true, "\(refusal ?? "no refusal")")
      #expect(try await session.shares().isEmpty)
      await session.syncNow()
      _ = try await session.share([.rounds], withCode: code, untilDay: Self.until)
      #expect(try await session.shares().count == 1)
      await session.close()
      await coach.close()
    }
  }

  @Test("Calls of a device whose clock is behind the beginning of the epoch are done")
  func lateClock() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let coach = try await server.session(try server.token(), on: "coach")
      try await server.beginEpoch(secondsAgo: -3_600)
      await session.syncNow()
      await coach.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      try await session.setArchived(true, id)
      #expect(await session.syncNow().sentCount == 2)
      let riser = try #require(try await server.client(token).everything().first)
      #expect(riser.archived)
      let code = try await coach.introductionCode().code
      _ = try await session.share([.rounds], withCode: code, untilDay: Self.until)
      #expect(try await session.shares().count == 1)
      await session.close()
      await coach.close()
    }
  }

  /// A day that is ahead in every zone.
  private static var until: Int32 { Int32(WallClock.nowMilliseconds() / 86_400_000) + 30 }
}
