import QuiverRules
import TestSupport
import Testing

@Suite("Teams and groups", .timeLimit(.minutes(5)))
struct TeamTests {
  private static let ranking = Ranking(
    TiePolicyForm.of(.waOutdoor2026, onDay: 20_454), inProgress: false)

  private static func archer(
    _ id: Int64, _ group: String, _ total: Int, x: Int = 0,
    _ gender: TeamSelection.Gender = .unspecified, _ standing: Ranking.Standing = .ranked
  ) -> TeamSelection.Candidate {
    TeamSelection.Candidate(
      id: id, group: group, gender: gender,
      tally: ScoreTally(
        total: total, xCount: x, goldCount: 0, arrowCount: 72, endsCompleted: 12,
        counts: []), standing: standing)
  }

  @Test("a team is the best three of a club, ranked by their sum")
  func best() {
    let archers = [
      Self.archer(1, "A", 600), Self.archer(2, "A", 610), Self.archer(3, "A", 590),
      Self.archer(4, "A", 500), Self.archer(5, "B", 660), Self.archer(6, "B", 650),
      Self.archer(7, "C", 600), Self.archer(8, "C", 600), Self.archer(9, "C", 600, x: 1),
      Self.archer(10, "", 700), Self.archer(11, "", 700), Self.archer(12, "", 700),
      Self.archer(13, "A", 700, x: 0, .unspecified, .disqualified),
    ]
    let teams = TeamSelection.teams(archers, .best(size: 3), Self.ranking)
    #expect(teams.map(\.group) == ["C", "A"] && teams.map(\.rank) == [1, 2])
    #expect(teams.map(\.members) == [[9, 7, 8], [2, 1, 3]])
    #expect(teams.map(\.tally.total) == [1_800, 1_800])
    let equal = archers.filter { $0.id != 9 } + [Self.archer(9, "C", 600)]
    let shared = TeamSelection.teams(equal, .best(size: 3), Self.ranking)
    #expect(shared.map(\.rank) == [1, 1] && shared.map(\.group) == ["A", "C"])
  }

  @Test("a mixed team is the best woman and the best man of a club")
  func mixed() {
    let archers = [
      Self.archer(1, "A", 600, .women), Self.archer(2, "A", 610, .women),
      Self.archer(3, "A", 590, .men), Self.archer(4, "B", 700, .men),
      Self.archer(5, "B", 700, .men),
    ]
    let teams = TeamSelection.teams(archers, .mixed, Self.ranking)
    #expect(teams.map(\.members) == [[2, 3]] && teams[0].tally.total == 1_200)
  }

  @Test("in a group everybody meets everybody once, and once a round", arguments: 2...16)
  func rounds(count: Int) {
    let rounds = RoundRobin.rounds(of: count)
    #expect(rounds.count == (count.isMultiple(of: 2) ? count - 1 : count))
    var met: Set<[Int]> = []
    for round in rounds {
      let members = round.flatMap { [$0.first, $0.second] }
      #expect(Set(members).count == members.count)
      for pair in round { #expect(met.insert([pair.first, pair.second].sorted()).inserted) }
    }
    #expect(met.count == count * (count - 1) / 2)
  }

  @Test("equal points are told apart by the matches among them, then set points, then arrows")
  func table() {
    func won(_ winner: Int, _ loser: Int, _ points: Int, _ total: Int) -> RoundRobin.Match {
      RoundRobin.Match(
        winner, loser,
        BracketResult(winner: .first, setPoints: [6, points], totals: [140, total]))
    }
    // 0 and 1 have two wins each, and 0 beat 1; 2 and 3 have one each, and 2 beat 3.
    let rows = RoundRobin.table(
      of: 4,
      [
        won(0, 1, 5, 139), won(0, 2, 0, 100), won(3, 0, 0, 90), won(1, 2, 5, 139),
        won(1, 3, 5, 139), won(2, 3, 0, 100),
      ])
    #expect(rows.map(\.member) == [0, 1, 2, 3] && rows.map(\.points) == [4, 4, 2, 2])
    #expect(rows.map(\.rank) == [1, 2, 3, 4])
    // Each of three beat one other: set points decide, and the last two are equal in all.
    let circle = RoundRobin.table(
      of: 3, [won(0, 1, 4, 130), won(1, 2, 0, 130), won(2, 0, 4, 130)])
    #expect(circle.map(\.member) == [0, 1, 2])
    #expect(circle.map(\.setPoints) == [10, 10, 6] && circle.map(\.rank) == [1, 1, 3])
  }

  @Test("seeds go to groups forwards and backwards, so that all groups are as strong")
  func groups() {
    #expect(RoundRobin.groups(of: 8, 3) == [[1, 6, 7], [2, 5, 8], [3, 4]])
    #expect(RoundRobin.groups(of: 4, 1) == [[1, 2, 3, 4]])
    #expect(RoundRobin.groups(of: 4, 0) == [] && RoundRobin.groups(of: 0, 2) == [[], []])
    for count in 2...128 {
      for groupCount in 1...count / 2 {
        let groups = RoundRobin.groups(of: count, groupCount)
        #expect(groups.joined().sorted() == Array(1...count))
        let sizes = groups.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
    }
  }
}
