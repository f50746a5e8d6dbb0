import QuiverAPI
import QuiverRPC
import Testing

@testable import QuiverSession

@MainActor
@Suite("Sharing by sessions", .timeLimit(.minutes(5)))
struct SharingCallTests {
  /// A day that is ahead in every zone.
  private static var until: Int32 { Int32(WallClock.nowMilliseconds() / 86_400_000) + 30 }

  @Test("A session shares by a code or an invitation, lists, changes and ends shares")
  func shares() async throws {
    try await SessionServer.run { server in
      let archer = try await server.session(try server.token())
      let coach = try await server.session(try server.token())
      await archer.syncNow()
      await coach.syncNow()
      let code = try await coach.introductionCode().code
      let made = try await archer.share([.rounds], withCode: code, untilDay: Self.until)
      #expect(try await coach.shares(.received).map(\.id) == [made.id])
      #expect(try await coach.shares(.given).isEmpty)
      let wider = try await archer.change(made, to: [.rounds, .equipment], untilDay: Self.until)
      #expect(wider.id == made.id && wider.parts == [.equipment, .rounds])
      #expect(try await coach.squad().map { $0.share?.ownerID } == [made.ownerID])
      try await coach.end(made)
      #expect(try await archer.shares().isEmpty)
      let invite = try await archer.inviteToShare([.weight], untilDay: Self.until)
      let accepted = try await coach.acceptShareInvite(code: invite.code)
      #expect(accepted.parts == [.weight])
      let error = await failure { _ = try await coach.acceptShareInvite(code: invite.code) }
      #expect(error?.hasPrefix("Failed to accept an invitation: code") == true)
      let own = try await archer.introductionCode().code
      let refusal = await failure {
        _ = try await archer.share([.rounds], withCode: own, untilDay: Self.until)
      }
      #expect(refusal?.hasPrefix("Failed to share: principal_code") == true)
      await archer.close()
      await coach.close()
    }
  }
}
