import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Stores the server's replies for the comparison screen. Only the last comparison is stored.
extension OfflineSession {
  private static let setupsName = "comparison setups"
  private static let rangeName = "comparison range"
  /// A range that the user chose here and the server does not have yet.
  private static let chosenName = "comparison range chosen"
  private static let requestName = "comparison request"
  private static let resultName = "comparison result"
  private static let pageSize: UInt32 = 500

  /// Sends the range that the user chose here, or fetches the server's range.
  func fetchRange(_ store: LocalStore) async throws(SessionError) {
    let chosen = try await store.read { (transaction) throws(SessionError) in
      try transaction.kept(RangeChoice.self, Self.chosenName)
    }
    let range: RangeChoice
    if let chosen, chosen.message.range != .unspecified {
      var request = SetRangeRequest()
      request.range = chosen.message
      range = try await change(Comparison.setRange, request)
    } else {
      range = try await call(Comparison.getRange, GetRangeRequest())
    }
    try await store.write { (transaction) throws(SessionError) in
      let now = WallClock.nowMilliseconds()
      try transaction.keepAnswer(
        Self.rangeName, range.serializedBytes(), fetchedAt: now, key: .comparison)
      // The user may have chosen another range in the meantime; the next cycle sends it.
      let latest = try transaction.kept(RangeChoice.self, Self.chosenName)
      guard latest?.message.serializedBytes() == chosen?.message.serializedBytes() else { return }
      try transaction.keepAnswer(
        Self.chosenName, RangeChoice().serializedBytes(), fetchedAt: now, key: .comparison)
    }
  }

  func fetchComparableSetups(_ store: LocalStore) async throws(SessionError) {
    var request = ListComparableSetupsRequest()
    request.pageSize = Self.pageSize
    var found = ListComparableSetupsResponse()
    repeat {
      let page = try await call(Comparison.listComparableSetups, request)
      found.setups += page.setups
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && found.setups.count < configuration.limits.maxCachedObjects
    let kept = found
    try await store.write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        Self.setupsName, kept.serializedBytes(), fetchedAt: WallClock.nowMilliseconds(),
        key: .comparison)
    }
  }

  func fetchComparison(
    _ request: CompareRequest, _ store: LocalStore
  ) async throws(SessionError) {
    let response = try await call(Comparison.compare, request)
    try await store.write { (transaction) throws(SessionError) in
      let now = WallClock.nowMilliseconds()
      try transaction.keepAnswer(
        Self.requestName, request.serializedBytes(), fetchedAt: now, key: .comparison)
      try transaction.keepAnswer(
        Self.resultName, response.serializedBytes(), fetchedAt: now, key: .comparison)
    }
  }

  /// Stores a range that the user chose here; the next sync cycle sends it.
  func choose(_ range: RangeChoice) async throws(SessionError) {
    try await store().write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        Self.chosenName, range.serializedBytes(), fetchedAt: WallClock.nowMilliseconds(),
        key: .comparison)
    }
  }

  /// Discards a range that the user chose here and the server refused.
  func forgetChosenRange() async {
    try? await store().write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        Self.chosenName, RangeChoice().serializedBytes(), fetchedAt: WallClock.nowMilliseconds(),
        key: .comparison)
    }
  }

  /// The range on this device: the user's last choice, otherwise the server's; nil if there is
  /// none.
  func comparisonRange() async throws(SessionError) -> RangeChoice? {
    try await store().read { (transaction) throws(SessionError) in
      let chosen = try transaction.kept(RangeChoice.self, Self.chosenName)?.message
      if let chosen, chosen.range != .unspecified { return chosen }
      return try transaction.kept(RangeChoice.self, Self.rangeName)?.message
    }
  }

  /// The last list of setups from the server, and when it was fetched; nil if there is none.
  func comparableSetups() async throws(SessionError) -> (
    setups: [ComparableSetup], fetchedAt: Int64
  )? {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.kept(ListComparableSetupsResponse.self, Self.setupsName).map {
        ($0.message.setups, $0.fetchedAt)
      }
    }
  }

  /// The stored reply to this request if it is the last comparison, and when it was fetched.
  func comparison(
    _ request: CompareRequest
  ) async throws(SessionError) -> (response: CompareResponse, fetchedAt: Int64)? {
    try await store().read { (transaction) throws(SessionError) in
      guard try transaction.answer(Self.requestName)?.message == request.serializedBytes() else {
        return nil
      }
      return try transaction.kept(CompareResponse.self, Self.resultName).map {
        ($0.message, $0.fetchedAt)
      }
    }
  }

  /// Calls a mutating method that has the same effect when it is repeated.
  func change<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request
  ) async throws(SessionError) -> Response {
    let answer: [UInt8]
    do throws(RPCError) {
      answer = try await answered(
        method.info, request.serializedBytes(), key: IdempotencyKey.random().bytes)
    } catch {
      throw SessionError(error)
    }
    do throws(DecodeError) {
      return try Response(serializedBytes: answer)
    } catch {
      throw SessionError(.call(.internal), "the server's answer cannot be read: \(error)")
    }
  }
}

extension LocalTransaction {
  /// The message stored under the name, and when; nil if there is none that can be decoded.
  fileprivate func kept<M: Message>(
    _: M.Type, _ name: String
  ) throws(SessionError) -> (message: M, fetchedAt: Int64)? {
    guard let (bytes, fetchedAt) = try answer(name), let message = try? M(serializedBytes: bytes)
    else { return nil }
    return (message, fetchedAt)
  }
}
