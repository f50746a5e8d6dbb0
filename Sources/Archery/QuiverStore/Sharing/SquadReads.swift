import QuiverRules

/// What a coach sees of one archer: only what the archer shares with it.
package struct SquadMemberRecord: Sendable {
  package let share: ShareRecord
  package let owner: PrincipalRecord
  /// The latest rounds, newest first.
  package internal(set) var lastRounds: [ShotRoundRecord] = []
  /// Rounds from a day before the span to a day after it, so that every time zone is included.
  package internal(set) var rounds: [ShotRoundRecord] = []
  /// How many sets of strength training there are on the days of the span that have some.
  package internal(set) var setCounts: [(day: Int32, count: Int)] = []
  /// Setups that got a new version since the span began, newest first.
  package internal(set) var setups: [ChangedSetup] = []

  /// A bow setup that was changed.
  package struct ChangedSetup: Sendable, Equatable {
    package let id: Int64
    /// Empty: it has none.
    package let name: String
    package let version: Int64
    package let changedAtMilliseconds: Int64
  }

  /// Whether the account of the archer is in force; else nothing of it is shown but the share.
  package var isReadable: Bool { owner.isActive }

  /// Whether the reader sees when the archer has shot.
  package var showsRounds: Bool {
    isReadable && !share.parts.isDisjoint(with: [.roundsPart, .trainingLogPart])
  }

  package var showsSets: Bool {
    isReadable && !share.parts.isDisjoint(with: [.strengthPart, .trainingLogPart])
  }
}

extension Snapshot {
  private static let setsByDay = Query(
    """
    SELECT l.day, count(*) FROM lift_series s JOIN lift_set l ON l.series_id = s.id
    WHERE s.principal_id = ?1 AND s.import_id = 0 AND l.day BETWEEN ?2 AND ?3
    GROUP BY l.day ORDER BY l.day
    """)
  private static let changedSetups = Query(
    """
    SELECT s.id, s.name, s.version, v.made_at_ms
    FROM bow_setup s JOIN bow_setup_version v ON v.setup_id = s.id AND v.version = s.version
    WHERE s.principal_id = ?1 AND v.made_at_ms >= ?2
    ORDER BY v.made_at_ms DESC, s.id DESC LIMIT \(StoreLimits.squadSetups)
    """)

  /// What a share shows of its owner in a span of days.
  package func squadMember(
    _ share: ShareRecord, in days: ClosedRange<Int32>
  ) throws(StoreError) -> SquadMemberRecord {
    var member = SquadMemberRecord(share: share, owner: try principal(id: share.owner))
    // Nobody reads the data of an account that is disabled, by whatever way.
    guard member.isReadable else { return member }
    if member.showsRounds {
      member.lastRounds = try lastRounds(
        of: share.owner, count: StoreLimits.squadRounds)
      member.rounds = try shotRounds(days, principal: share.owner)
    }
    if member.showsSets {
      member.setCounts = try all(
        Self.setsByDay, .integer(share.owner), .integer(Int64(days.lowerBound)),
        .integer(Int64(days.upperBound))
      ) { row in (day: Int32(clamping: row.int64(0)), count: Int(clamping: row.int64(1))) }
    }
    if share.parts.contains(.equipmentPart) {
      member.setups = try all(
        Self.changedSetups, .integer(share.owner),
        .integer(Int64(days.lowerBound) * 86_400_000)
      ) { row in
        SquadMemberRecord.ChangedSetup(
          id: row.int64(0), name: row.text(1), version: row.int64(2),
          changedAtMilliseconds: row.int64(3))
      }
    }
    return member
  }
}
