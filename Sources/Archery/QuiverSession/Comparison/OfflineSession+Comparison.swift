import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// What a comparison's screen keeps of the server's answers. Only the last comparison is kept.
extension OfflineSession {
  private static let setupsName = "comparison setups"
  private static let rangeName = "comparison range"
  /// A range that was chosen here and has not reached the server.
  private static let chosenName = "comparison range chosen"
  private static let requestName = "comparison request"
  private static let resultName = "comparison result"
  private static let pageSize: UInt32 = 500

  /// Brings the range to the server that was chosen here, or asks for the kept one.
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
      // Another may have been chosen meanwhile, and goes next time.
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

  /// Keeps a range that was chosen here, for the server too once it is there.
  func choose(_ range: RangeChoice) async throws(SessionError) {
    try await store().write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        Self.chosenName, range.serializedBytes(), fetchedAt: WallClock.nowMilliseconds(),
        key: .comparison)
    }
  }

  /// Drops a range that was chosen here and that the server refuses.
  func forgetChosenRange() async {
    try? await store().write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        Self.chosenName, RangeChoice().serializedBytes(), fetchedAt: WallClock.nowMilliseconds(),
        key: .comparison)
    }
  }

  /// The range as it is here: what was chosen last, else what the server said; nil: nothing yet.
  func comparisonRange() async throws(SessionError) -> RangeChoice? {
    try await store().read { (transaction) throws(SessionError) in
      let chosen = try transaction.kept(RangeChoice.self, Self.chosenName)?.message
      if let chosen, chosen.range != .unspecified { return chosen }
      return try transaction.kept(RangeChoice.self, Self.rangeName)?.message
    }
  }

  /// The setups to choose from as the server said them last, and when; nil: never.
  func comparableSetups() async throws(SessionError) -> (
    setups: [ComparableSetup], fetchedAt: Int64
  )? {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.kept(ListComparableSetupsResponse.self, Self.setupsName).map {
        ($0.message.setups, $0.fetchedAt)
      }
    }
  }

  /// The answer to that request where it is the last one that was compared, and when it came.
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

  /// Calls a method that changes something and may be called again with the same effect.
  private func change<Request: Message, Response: Message>(
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
  /// A message that was kept by that name, and when; nil where there is none that can be read.
  fileprivate func kept<M: Message>(
    _: M.Type, _ name: String
  ) throws(SessionError) -> (message: M, fetchedAt: Int64)? {
    guard let (bytes, fetchedAt) = try answer(name), let message = try? M(serializedBytes: bytes)
    else { return nil }
    return (message, fetchedAt)
  }
}
