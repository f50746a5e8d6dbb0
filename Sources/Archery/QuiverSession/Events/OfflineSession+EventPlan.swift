import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension OfflineSession {
  private static let pageSize: UInt32 = 500
  /// An event has at most 20,000 participants.
  private static let largestEntryCount = 20_000
  /// The server stores keys for 24 hours.
  static let openCallMilliseconds: Int64 = 23 * 3_600_000
  /// The same for changes that others may take back meanwhile, and that are made again then.
  static let reversibleCallMilliseconds: Int64 = 600_000

  /// Fetches the plan of a tournament.
  func fetchEventPlan(_ tournament: Int64, _ store: LocalStore) async throws(SessionError) {
    guard let plan = try await fetchedPlan(of: tournament, onlyOf: nil, needsEntries: true) else {
      throw SessionError(.call(.unimplemented), "the server does not know categories")
    }
    try await store.write { (transaction) throws(SessionError) in
      try transaction.take(
        plan, of: tournament, fetchedAt: WallClock.nowMilliseconds(), limits: store.limits)
    }
  }

  /// The categories, sessions and entries of a tournament, the entries only of some participants if
  /// `wanted` is given; nil from a server without them.
  ///
  /// Unless `needsEntries`, none are fetched of an event that has one category of one round and no
  /// session: all participants shoot the same there.
  func fetchedPlan(
    of tournament: Int64, onlyOf wanted: Set<Int64>?, needsEntries: Bool = false
  ) async throws(SessionError) -> LocalEventPlan? {
    var plan = LocalEventPlan()
    do throws(SessionError) {
      plan.categories = try await call(
        Events.listEventCategories, .with { $0.tournamentID = tournament }
      ).categories
    } catch {
      guard error.code == .call(.unimplemented) else { throw error }
      return nil
    }
    plan.sessions = try await call(
      Events.listEventSessions, .with { $0.tournamentID = tournament }
    ).sessions
    let isPlain =
      plan.categories.count == 1 && plan.sessions.isEmpty && plan.categories[0].rounds.count < 2
    guard needsEntries || !isPlain else { return plan }
    var request = ListEventEntriesRequest()
    (request.tournamentID, request.pageSize) = (tournament, Self.pageSize)
    var seen = 0
    repeat {
      let page = try await call(Events.listEventEntries, request)
      seen += page.entries.count
      plan.entries += page.entries.filter { wanted?.contains($0.participantID) ?? true }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && seen < Self.largestEntryCount
    plan.hasAllEntries = wanted == nil
    return plan
  }

  /// Calls a method that changes something, so that it has its effect once: while no reply was seen
  /// to it or to a later change that can take it back, the same request has the same key, also
  /// after a restart. Needs a connection.
  func once<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request
  ) async throws(SessionError) -> Response {
    let store = try await signedIn()
    let (info, bytes, limits) = (method.info, request.serializedBytes(), configuration.limits)
    let key = try await store.write { (transaction) throws(SessionError) in
      try transaction.openCall(
        info.id, bytes, at: WallClock.nowMilliseconds(), orWith: IdempotencyKey.random().bytes,
        limits: limits)
    }
    let answer: [UInt8]
    do throws(RPCError) {
      answer = try await answered(info, bytes, key: key)
    } catch {
      if case .definite = Disposition(error) {
        try await store.write { (transaction) throws(SessionError) in
          try transaction.closeCall(key)
        }
      }
      throw SessionError(error)
    }
    try await store.write { (transaction) throws(SessionError) in
      try transaction.closeAnsweredCall(key)
    }
    guard let response = try? Response(serializedBytes: answer) else {
      throw SessionError(.call(.internal), "the server's answer cannot be read")
    }
    return response
  }

  /// The open file; signs in first if nobody has.
  func signedIn() async throws(SessionError) -> LocalStore {
    do throws(SessionError) {
      return try store()
    } catch {
      guard error.code == .notSignedIn else { throw error }
    }
    if let error = await syncNow().error { throw error }
    return try store()
  }
}
