import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("What a coach sees of a squad", .timeLimit(.minutes(5)))
struct SquadTests {
  private static let day: Int64 = 86_400_000
  private static var now: Int64 { StoreClock.system.wallMilliseconds() }

  /// Adds a Bray I, 30 arrows, some days ago.
  private static func add(_ client: Client, _ total: UInt32, daysAgo: Int64) async throws {
    _ = try await client.call(
      Rounds.createSession,
      .with { request in
        request.format = .with { $0.codename = "bray_i" }
        request.past = .with { past in
          past.sums = .with { ($0.total, $0.hits) = (total, 30) }
          past.shotAtMilliseconds = now - daysAgo * day
        }
      })
  }

  @Test("Each archer shows what it shares: rounds by week, bests, sets, changed setups, no weight")
  func members() async throws {
    try await TestServer.run { server in
      let coach = try server.principal(.user, named: "Coach")
      let reader = try server.client(of: coach.id, [.read, .write])
      #expect(try await reader.call(Account.getSquad, .init()).members.isEmpty)
      var archers: [(id: Int64, client: Client)] = []
      for name in ["All", "Log", "Weight"] {
        let archer = try server.principal(.user, named: name)
        let client = try server.client(of: archer.id, [.read, .write])
        for (total, ago) in [(270, 0), (280, 14), (290, 300)] as [(UInt32, Int64)] {
          try await Self.add(client, total, daysAgo: ago)
        }
        let today = Int32(Self.now / Self.day)
        _ = try await client.call(
          Logbook.createSet, StrengthServiceTests.set(today, "Squat", 5, 100))
        _ = try await client.call(
          Logbook.createWeightEntry, WeightServiceTests.entry(today, 170_000))
        _ = try await client.call(
          Equipment.createBowSetup, .with { $0.bowSetup = .with { $0.name = "Indoor" } })
        archers.append((archer.id, client))
      }
      _ = try server.share(of: archers[0].id, with: coach.id, .parts)
      _ = try server.share(of: archers[1].id, with: coach.id, .trainingLogPart)
      _ = try server.share(of: archers[2].id, with: coach.id, .weightPart)
      let squad = try await reader.call(Account.getSquad, .init()).members
      #expect(squad.map { $0.share?.ownerName } == ["All", "Log", "Weight"])
      let all = squad[0]
      #expect(all.lastRounds.map { $0.score?.total } == [270, 280, 290])
      #expect(all.weeks.count == 8 && all.weeks.map(\.arrowCount).reduce(0, +) == 60)
      #expect(all.weeks[0].arrowCount == 30 && all.weeks[2].arrowCount == 30)
      #expect(all.weeks[0].setCount == 1 && all.weeks[0].roundCount == 1)
      #expect(all.weeks[0].firstDay - all.weeks[1].firstDay == 7)
      // The best score is of last year, so that nothing is new.
      #expect(all.bests.map(\.score) == [290] && all.newBestCount == 0)
      #expect(all.setups.map(\.name) == ["Indoor"] && all.setups.map(\.version) == [1])
      let log = squad[1]
      #expect(log.weeks == all.weeks && log.lastRounds.count == 3)
      #expect(log.bests.isEmpty && log.setups.isEmpty)
      #expect(squad[2].weeks.isEmpty && squad[2].lastRounds.isEmpty && squad[2].bests.isEmpty)

      try await Self.add(archers[0].client, 299, daysAgo: 0)
      let year = try await reader.call(Account.getSquad, .with { $0.weeks = 26 }).members
      #expect(year[0].weeks.count == 26 && year[0].newBestCount == 1)
      let refusal = await reader.refusal(Account.getSquad, .with { $0.weeks = 27 })
      #expect(refusal?.code == .invalidArgument)
    }
  }

  @Test("A squad comes in pages, without archers whose shares have ended")
  func pages() async throws {
    try await TestServer.run { server in
      let coach = try server.principal(.user, named: "Coach")
      let reader = try server.client(of: coach.id, [.read])
      var shares: [ShareRecord] = []
      for number in 1...5 {
        let archer = try server.principal(.user, named: "Archer \(number)")
        shares.append(try server.share(of: archer.id, with: coach.id, .roundsPart))
      }
      _ = try server.store.perform(
        EndShare(id: shares[1].id), .init(caller: .init(principal: shares[1].owner)))
      var names: [String] = []
      var request: GetSquadRequest = .with { $0.pageSize = 2 }
      repeat {
        let page = try await reader.call(Account.getSquad, request)
        #expect(page.members.count <= 2)
        names += page.members.map { $0.share?.ownerName ?? "" }
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
      #expect(names == ["Archer 1", "Archer 3", "Archer 4", "Archer 5"])
      let wrong = await reader.refusal(Account.getSquad, .with { $0.pageToken = "x" })
      #expect(wrong?.code == .invalidArgument)
    }
  }

  @Test("Nothing of an archer whose account is disabled is shown but the share")
  func disabled() async throws {
    try await TestServer.run { server in
      let coach = try server.principal(.user, named: "Coach")
      let reader = try server.client(of: coach.id, [.read])
      let archer = try server.principal(.user, named: "Robin")
      try await Self.add(try server.client(of: archer.id, [.read, .write]), 270, daysAgo: 0)
      _ = try server.share(of: archer.id, with: coach.id, [.roundsPart, .trainingLogPart])
      let before = try await reader.call(Account.getSquad, .init()).members
      #expect(before.first?.lastRounds.count == 1 && before.first?.bests.count == 1)
      let admin = try server.client(.administrator, named: "Sheriff")
      _ = try await admin.call(Admin.disablePrincipal, .with { $0.id = archer.id })
      let members = try await reader.call(Account.getSquad, .init()).members
      #expect(members.map { $0.share?.ownerName } == ["Robin"])
      #expect(members.allSatisfy { $0.lastRounds.isEmpty && $0.weeks.isEmpty && $0.bests.isEmpty })
      #expect(members.first?.newBestCount == 0)
    }
  }

  @Test(
    "Weeks begin on Monday, also before 1970", arguments: [(0, -3), (3, -3), (4, 4), (-4, -10)])
  func mondays(day: Int32, monday: Int32) {
    #expect(SquadWeek.monday(of: day) == monday)
  }
}
