/// How a match is scored, numbered as in `quiver.v1.MatchSystem`.
package enum MatchSystem: Int32, CaseIterable, Sendable, Hashable {
  /// Sets of 3 arrows, at most 5; 6 set points win.
  case individualSets = 1
  /// Sets of 6 arrows by 3 archers, at most 4; 5 set points win.
  case teamSets = 2
  /// Sets of 4 arrows by 2 archers, at most 4; 5 set points win.
  case mixedTeamSets = 3
  /// 15 arrows in ends of 3; the higher total wins.
  case individualCumulative = 4
  /// 24 arrows by 3 archers in ends of 6.
  case teamCumulative = 5
  /// 16 arrows by 2 archers in ends of 4.
  case mixedTeamCumulative = 6

  /// Whether single archers shoot, teams of the best of a club or country, or mixed teams.
  package var sides: Sides {
    switch self {
    case .individualSets, .individualCumulative: .archers
    case .teamSets, .teamCumulative: .teams
    case .mixedTeamSets, .mixedTeamCumulative: .mixedTeams
    }
  }

  /// The kind of a side.
  package enum Sides: Sendable, Hashable {
    /// One archer.
    case archers
    /// The best archers of a club or country.
    case teams
    /// The best woman and the best man of a club or country.
    case mixedTeams
  }

  /// As in `INDIVIDUAL_SETS`.
  package var name: String {
    switch self {
    case .individualSets: "INDIVIDUAL_SETS"
    case .teamSets: "TEAM_SETS"
    case .mixedTeamSets: "MIXED_TEAM_SETS"
    case .individualCumulative: "INDIVIDUAL_CUMULATIVE"
    case .teamCumulative: "TEAM_CUMULATIVE"
    case .mixedTeamCumulative: "MIXED_TEAM_CUMULATIVE"
    }
  }
}

/// A match system as it is from a day on: data, so that an event keeps the one that it was shot
/// under.
package struct MatchForm: Sendable, Hashable {
  /// The system.
  package let system: MatchSystem
  /// How many archers shoot for a side.
  package let archersPerSide: Int
  /// The arrows of a side in one end; in a set system an end is a set.
  package let arrowsPerEnd: Int
  /// The largest number of ends before the shoot-off.
  package let endCount: Int
  /// The set points that win the match; nil: the totals of all ends are compared.
  package let winningSetPoints: Int?
  /// The first day: days since 1970-01-01; 0: the oldest form that is known.
  package let inForceFromDay: Int32

  /// The arrows of a side in one shoot-off: one for each archer.
  package var shootOffArrowCount: Int { archersPerSide }

  /// All systems in all their forms. A system that changes gets another form with a later day; what
  /// stands here is never edited.
  ///
  /// Sources: the set system is in force for recurves since 2010-04-01, and since 2011-01-01 an
  /// individual match has 5 sets of 3 arrows and is won with 6 set points ("New changes in FITA
  /// rules w.e.f. Jan 1 2011", masarchery.blogspot.com; World Archery, "Competition format",
  /// version 3, January 2012, on archivalarchery.org). Sets of teams: programme of the German
  /// Archery Championships 2025 (wm-bogen.de): 6 arrows, at least 3 and at most 4 sets. Of a match
  /// for compounds all arrows are added: World Archery, "Competition format".
  package static let all: [MatchForm] = [
    MatchForm(
      system: .individualSets, archersPerSide: 1, arrowsPerEnd: 3, endCount: 5,
      winningSetPoints: 6, inForceFromDay: newYear2011),
    MatchForm(
      system: .teamSets, archersPerSide: 3, arrowsPerEnd: 6, endCount: 4, winningSetPoints: 5,
      inForceFromDay: 0),
    MatchForm(
      system: .mixedTeamSets, archersPerSide: 2, arrowsPerEnd: 4, endCount: 4,
      winningSetPoints: 5, inForceFromDay: 0),
    MatchForm(
      system: .individualCumulative, archersPerSide: 1, arrowsPerEnd: 3, endCount: 5,
      winningSetPoints: nil, inForceFromDay: 0),
    MatchForm(
      system: .teamCumulative, archersPerSide: 3, arrowsPerEnd: 6, endCount: 4,
      winningSetPoints: nil, inForceFromDay: 0),
    MatchForm(
      system: .mixedTeamCumulative, archersPerSide: 2, arrowsPerEnd: 4, endCount: 4,
      winningSetPoints: nil, inForceFromDay: 0),
  ]

  private static let newYear2011: Int32 = 14_975

  /// The form of a system that held on a day: the latest that began by then, else the first.
  package static func of(
    _ system: MatchSystem, onDay day: Int32, among forms: [MatchForm] = all
  ) -> MatchForm {
    let own = forms.filter { $0.system == system }.sorted { $0.inForceFromDay < $1.inForceFromDay }
    guard let first = own.first else { preconditionFailure("every system has a form") }
    return own.last { $0.inForceFromDay <= day } ?? first
  }
}

/// Whether a first shoot-off in which both sides hit the maximum is shot again, from a day on.
package struct FirstShootOffRule: Sendable, Hashable {
  /// The first day: days since 1970-01-01.
  package let inForceFromDay: Int32
  /// Whether it is shot again in individual matches outdoors.
  package let isShotAgain: Bool

  /// All rules, oldest first.
  ///
  /// Sources: in force from 2018-04-01 for individual matches outdoors, a 10 for recurves and an X
  /// for compounds (USA Archery, "New Rule on One Arrow Shoot Offs", 2018-04-04; World Archery,
  /// "Clarification of tiebreak rules for indoor matchplay competition"). The gold match of the
  /// Olympic Games on 2024-08-04 was decided by the distances of two tens (Korea Herald of that
  /// day), so the rule had ended by then; its last day was not found.
  package static let all: [FirstShootOffRule] = [
    FirstShootOffRule(inForceFromDay: 0, isShotAgain: false),
    FirstShootOffRule(inForceFromDay: 17_622, isShotAgain: true),
    FirstShootOffRule(inForceFromDay: 19_939, isShotAgain: false),
  ]

  /// Whether a first shoot-off of maxima is shot again on that day.
  package static func isShotAgain(
    onDay day: Int32, _ system: MatchSystem, outdoors: Bool
  ) -> Bool {
    guard outdoors, system == .individualSets || system == .individualCumulative else {
      return false
    }
    return all.last { $0.inForceFromDay <= day }?.isShotAgain ?? false
  }
}
