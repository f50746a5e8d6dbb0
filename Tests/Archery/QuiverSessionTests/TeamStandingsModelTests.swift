import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("Standings of teams on a device", .timeLimit(.minutes(5)))
struct TeamStandingsModelTests {
  @Test("Teams are ranked, cut once in the order of a decided tie, and a member is replaced once")
  func teams() async throws {
    try await SessionServer.run { server in
      // Three clubs of three archers each, of which two are equal, and a fourth archer of Ash.
      let test = try await ScoredEvent(
        server, [10, 9, 9, 10, 9, 9, 10, 9, 9, 5], clubs: ["Ash", "Elm", "Oak"])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let part = TeamStandingsModel.Part(category: test.category)
      let teams = TeamStandingsModel(session, event: test.event, part: part)
      try await teams.load()
      #expect(teams.rows.map(\.name) == ["Ash", "Elm", "Oak"] && teams.teamCount == 3)
      #expect(teams.rows.map(\.rank) == [1, 2, 2] && teams.policy != nil)
      #expect(teams.rowsTied(acrossCutTo: 2).map(\.name) == ["Elm", "Oak"])
      #expect(teams.rowsTied(acrossCutTo: 3).isEmpty && teams.rowsTied(acrossCutTo: 9).isEmpty)
      #expect(teams.rowsTied(acrossCutTo: 0).isEmpty)

      let stages = StageListModel(session, event: test.event)
      #expect(
        await fails(saying: "tie_order") { try await stages.cutTeams(part, to: 2) })
      #expect(
        await fails(saying: "tie_order") {
          try await stages.cutTeams(part, to: 2, tie: (["Oak"], .shootOff))
        })
      let cut = try await resultAfterLostReply(over: transport, "CutTeams") {
        try await stages.cutTeams(part, to: 2, tie: (["Oak", "Elm"], .shootOff))
      }
      #expect(cut.ranks.map(\.displayName) == ["Ash", "Oak"])
      #expect(stages.stages.map(\.teamGroup) == [.club])
      #expect(try await test.stages().count == 1)

      let bracket = BracketModel(session, event: test.event, stage: stages.stages[0].id)
      await bracket.refresh()
      let member = try #require(bracket.ranks.first?.members.first).participantID
      #expect(
        await failure {
          try await bracket.substitute(
            member, by: test.archers[1], inTeam: 1, reason: "ill")
        } != nil)
      #expect(bracket.changeError?.operation == "replace a member of a team")
      try await repeatAfterLostReply(over: transport, "SubstituteTeamMember") {
        try await bracket.substitute(member, by: test.archers[9], inTeam: 1, reason: "ill")
      }
      let members = bracket.ranks.first?.members.map(\.participantID) ?? []
      #expect(members.contains(test.archers[9]) && !members.contains(member))
      #expect(bracket.changeError == nil)

      transport.disconnect()
      try await teams.load()
      #expect(teams.rows.count == 3 && teams.state.staleSince != nil)
      let other = TeamStandingsModel.Part(category: test.category, group: .country)
      #expect(await failure { try await teams.choose(other) } != nil)
      #expect(teams.rows.isEmpty && teams.state.error != nil && teams.part == other)
      transport.reconnect()
      try await teams.choose(part)
      #expect(teams.rows.count == 3 && teams.state == .loaded(staleSince: nil))
      #expect(
        await failure {
          try await teams.choose(.init(category: test.category, system: .individualSets))
        } != nil)
      #expect(teams.state.error?.code == .call(.invalidArgument))
      await session.close()
    }
  }
}
