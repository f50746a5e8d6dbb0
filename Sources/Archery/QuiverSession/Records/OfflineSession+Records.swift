import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// Stores the server's last personal bests, and the last running handicap of each location.
extension OfflineSession {
  private static let bestsName = "personal bests"

  private static func handicapName(_ location: RoundLocation) -> String {
    "running handicap \(location.rawValue)"
  }

  func fetchRecords(
    _ store: LocalStore, location: RoundLocation
  ) async throws(SessionError) {
    let bests = try await call(Rounds.getPersonalBests, GetPersonalBestsRequest())
    var request = GetRunningHandicapRequest()
    request.location = location
    let handicap = try await call(Rounds.getRunningHandicap, request)
    try await store.write { (transaction) throws(SessionError) in
      let now = WallClock.nowMilliseconds()
      try transaction.keepAnswer(
        Self.bestsName, bests.serializedBytes(), fetchedAt: now, key: .records)
      try transaction.keepAnswer(
        Self.handicapName(location), handicap.serializedBytes(), fetchedAt: now, key: .records)
    }
  }

  /// What was fetched last for the location; nil if nothing was.
  func records(
    location: RoundLocation
  ) async throws(SessionError) -> (
    bests: [PersonalBest], handicap: GetRunningHandicapResponse, fetchedAt: Int64
  )? {
    try await store().read { (transaction) throws(SessionError) in
      guard let (bests, _) = try transaction.answer(Self.bestsName),
        let (handicap, fetchedAt) = try transaction.answer(Self.handicapName(location)),
        let known = try? GetPersonalBestsResponse(serializedBytes: bests),
        let running = try? GetRunningHandicapResponse(serializedBytes: handicap)
      else { return nil }
      return (known.bests, running, fetchedAt)
    }
  }
}
