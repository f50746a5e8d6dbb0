/// The number of objects of a kind that a principal has; stored, so that checking a limit is one
/// read.
enum ScoringCount {
  case formats
  case sessions
  case tournaments

  fileprivate var limit: Int64 {
    switch self {
    case .formats: StoreLimits.formatsPerPrincipal
    case .sessions: StoreLimits.sessionsPerPrincipal
    case .tournaments: StoreLimits.tournamentsPerPrincipal
    }
  }

  fileprivate var storeLimit: StoreLimit {
    switch self {
    case .formats: .formatsPerPrincipal
    case .sessions: .sessionsPerPrincipal
    case .tournaments: .tournamentsPerPrincipal
    }
  }

  fileprivate var noun: String {
    switch self {
    case .formats: "formats of its own"
    case .sessions: "sessions alone"
    case .tournaments: "tournaments"
    }
  }
}

extension Transaction {
  private static let change = Query(
    """
    INSERT INTO scoring_count (principal_id, formats, sessions, tournaments)
    VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (principal_id) DO UPDATE SET formats = scoring_count.formats + ?2,
      sessions = scoring_count.sessions + ?3,
      tournaments = scoring_count.tournaments + ?4
    """)
  private static let counts = Query(
    "SELECT formats, sessions, tournaments FROM scoring_count WHERE principal_id = ?1")

  /// Changes one of the caller's counts by `step`; throws `resourceExhausted` above the limit.
  func countScoring(_ count: ScoringCount, by step: Int64) throws(StoreError) {
    let counts = try snapshot.first(Self.counts, .integer(caller.principal)) { row in
      (formats: row.int64(0), sessions: row.int64(1), tournaments: row.int64(2))
    }
    let now: Int64 =
      switch count {
      case .formats: counts?.formats ?? 0
      case .sessions: counts?.sessions ?? 0
      case .tournaments: counts?.tournaments ?? 0
      }
    guard step < 0 || now < count.limit else {
      throw StoreError.reached(
        count.storeLimit, "one principal may have \(count.limit) \(count.noun)")
    }
    try run(
      Self.change, .integer(caller.principal), .integer(count == .formats ? step : 0),
      .integer(count == .sessions ? step : 0), .integer(count == .tournaments ? step : 0))
  }
}
