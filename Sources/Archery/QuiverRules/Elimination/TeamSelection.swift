/// The teams of clubs or countries: the best of each by their qualification.
package enum TeamSelection {
  /// An archer who can be in a team.
  package struct Candidate: Sendable, Hashable {
    /// The number that identifies the archer.
    package let id: Int64
    /// The club or country; empty: in no team.
    package let group: String
    /// The gender of the archer's category, for mixed teams.
    package let gender: Gender
    /// The qualification.
    package let tally: ScoreTally
    /// Whether the archer is ranked.
    package let standing: Ranking.Standing

    /// Creates a value; each parameter is the property of its name.
    package init(
      id: Int64, group: String, gender: Gender = .unspecified, tally: ScoreTally,
      standing: Ranking.Standing = .ranked
    ) {
      self.id = id
      self.group = group
      self.gender = gender
      self.tally = tally
      self.standing = standing
    }
  }

  /// The gender of a category.
  package enum Gender: Int32, Sendable, Hashable {
    case unspecified = 0
    case women = 1
    case men = 2
  }

  /// How the members of a team are chosen.
  package enum Kind: Sendable, Hashable {
    /// The best `size` of a group.
    case best(size: Int)
    /// The best woman and the best man.
    case mixed
  }

  /// A team with its qualification.
  package struct Team: Sendable, Hashable {
    /// The club or country.
    package let group: String
    /// The members, best first; of a mixed team the woman first.
    package let members: [Int64]
    /// The sums of the members.
    package let tally: ScoreTally
    /// From 1; teams with equal sums share a rank.
    package fileprivate(set) var rank: Int
    /// The count that a member lacks, so that it does not tell apart those who share the rank; nil:
    /// none.
    package fileprivate(set) var missing: RankCriterion?
  }

  /// The teams in the order of their rank; a group without enough archers has none.
  ///
  /// Equal archers of a group are taken by their ids, and equal teams listed by their names.
  package static func teams(
    _ candidates: [Candidate], _ kind: Kind, _ ranking: Ranking
  ) -> [Team] {
    let groups = Dictionary(
      grouping: candidates.filter { !$0.group.isEmpty && $0.standing == .ranked }, by: \.group)
    var teams: [Team] = []
    for (group, archers) in groups {
      let best = archers.sorted { left, right in
        ranking.isBefore(left.contender, right.contender)
      }
      guard let members = members(best, kind) else { continue }
      teams.append(
        Team(
          group: group, members: members.map(\.id),
          tally: ScoreTally(sumOf: members.map(\.tally)), rank: 0))
    }
    teams.sort { $0.group < $1.group }
    // Equal teams are listed by their names.
    let contenders = teams.enumerated().map { index, team in
      Ranking.Contender(id: Int64(index), tally: team.tally)
    }
    return ranking.ranked(contenders).map { row in
      var team = teams[Int(row.contender.id)]
      (team.rank, team.missing) = (row.rank, row.missing)
      return team
    }
  }

  private static func members(_ best: [Candidate], _ kind: Kind) -> [Candidate]? {
    switch kind {
    case .best(let size):
      return best.count >= size ? Array(best.prefix(size)) : nil
    case .mixed:
      guard let woman = best.first(where: { $0.gender == .women }),
        let man = best.first(where: { $0.gender == .men })
      else { return nil }
      return [woman, man]
    }
  }
}

extension TeamSelection.Candidate {
  fileprivate var contender: Ranking.Contender {
    Ranking.Contender(id: id, standing: standing, tally: tally)
  }
}

extension ScoreTally {
  /// The sums of some tallies.
  package init(sumOf tallies: [ScoreTally]) {
    self.init(
      total: tallies.reduce(0) { $0 + $1.total }, xCount: tallies.reduce(0) { $0 + $1.xCount },
      goldCount: tallies.reduce(0) { $0 + $1.goldCount },
      arrowCount: tallies.reduce(0) { $0 + $1.arrowCount },
      endsCompleted: tallies.reduce(0) { $0 + $1.endsCompleted },
      counts: (0..<Self.valueCount).map { value in tallies.reduce(0) { $0 + $1.count(of: value) } },
      missing: tallies.reduce([]) { $0.union($1.missing) })
  }
}
