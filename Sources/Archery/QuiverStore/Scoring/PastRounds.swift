package import QuiverRules

extension PostgresSchema {
  /// Step 40: rounds without arrows.
  static let pastRounds = """
    ALTER TABLE round ADD COLUMN shoot_status bigint NOT NULL DEFAULT 0;
    """
}

/// What a round was shot in; the raw values are those of `quiver.v1.ShootStatus`, and are stored.
package enum ShootStatus: Int32, Sendable, CaseIterable {
  case practice = 1
  case club = 2
  case open = 3
  case record = 4
}

/// The sums of a round of a list, which has no arrows.
///
/// All passes of its participant are typed, so that the kept sums are all there is of it.
package struct PastRoundDraft: Sendable, Equatable {
  package var score: TypedScore
  package var shotAtMilliseconds: Int64
  /// Nil: not known.
  package var status: ShootStatus?

  package init(_ score: TypedScore, shotAtMilliseconds: Int64, status: ShootStatus? = nil) {
    self.score = score
    self.shotAtMilliseconds = shotAtMilliseconds
    self.status = status
  }

  var values: [SQLValue] {
    [
      .integer(Int64(score.total)), .optional(score.hits.map(Int64.init)),
      .optional(score.golds.map(Int64.init)), .optional(score.xCount.map(Int64.init)),
      .integer(shotAtMilliseconds), .integer(Int64(status?.rawValue ?? 0)),
    ]
  }
}

extension Transaction {
  private static let complete = Query(
    """
    UPDATE round SET status = \(RoundStatus.completed.rawValue), started_at_ms = ?2,
      completed_at_ms = ?2, first_shot_ms = ?2, shoot_status = ?3
    WHERE participant_id = ?1
    """)

  /// Gives a new participant the sums of a round of a list, which completes its round.
  func keep(
    _ past: PastRoundDraft, of id: Int64, in format: RoundFormat
  ) throws(StoreError) {
    let score: TypedScore
    do throws(RuleViolation) {
      score = try past.score.validated(for: format.passes)
    } catch {
      throw .invalid("past.sums." + error.field, error.message)
    }
    guard (1...nowMilliseconds + Self.pastAllowance).contains(past.shotAtMilliseconds) else {
      throw .invalid("past.shot_at_ms", "must be after 1970-01-01 and not in the future")
    }
    var tally = ScoreTally()
    tally.add(score, for: format.passes)
    try keepSums(
      tally, of: id, nextEnd: format.endCount, typed: PassSet(passes: format.passes.indices))
    try run(
      Self.complete, .integer(id), .integer(past.shotAtMilliseconds),
      .integer(Int64(past.status?.rawValue ?? 0)))
  }

  /// How far the clock of a client may be ahead.
  private static var pastAllowance: Int64 { 5 * 60_000 }
}
