import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire

extension AdminService {
  func listLimits(
    _ request: ListLimitsRequest, _ call: CallContext
  ) throws -> ListLimitsResponse {
    _ = try call.administrator()
    var response = ListLimitsResponse()
    response.limits =
      request.principalID == 0
      ? transportLimits() + (try storeLimits()) : try quotas(of: request.principalID)
    return response
  }

  /// The limits of ``Limits``, by their names there.
  private func transportLimits() -> [LimitUse] {
    guard let server = connections.current else { return [] }
    let metrics = server.callMetrics
    var used = ["maxConnections": Int64(server.connectionCount)]
    if !metrics.isEmpty {
      used["processBytes"] = metrics.reduce(0) {
        $0 + Int64($1.heldInputBytes) + Int64($1.heldOutputBytes)
      }
    }
    return Mirror(reflecting: server.currentLimits).children.compactMap { child in
      guard let name = child.label, let value = child.value as? any BinaryInteger else {
        return nil
      }
      let limit = ReachedLimit.allCases.first { $0.name == name }
      let reached = limit.map { limit in metrics.reduce(0) { $0 + $1.count(of: limit) } }
      return LimitUse(name, Int64(clamping: value), used: used[name], reached: reached ?? 0)
    }
  }

  private func storeLimits() throws -> [LimitUse] {
    let store = commands.store
    let keys = try store.read { (snapshot) throws(StoreError) in try snapshot.keptKeys() }
    let quotas = store.quotas
    return [
      LimitUse(
        "queuedCommands", Int64(store.queuedCommandLimit), used: Int64(store.queuedCommandCount)),
      LimitUse(
        "waitingReads", Int64(StoreLimits.waitingReads), used: Int64(store.reads.waitingCount)),
      LimitUse("watches", Int64(watches.limits.watches), used: Int64(watches.count)),
      LimitUse("watchesPerPrincipal", Int64(watches.limits.watchesPerPrincipal)),
      LimitUse("leaderboardTopics", Int64(watches.limits.leaderboardTopics)),
      LimitUse("leaderboardWindows", Int64(watches.limits.leaderboardWindows)),
      LimitUse("idempotencyKeys", quotas.totalIdempotencyKeys, used: keys.count),
      LimitUse("keyBytes", quotas.totalKeyBytes, used: keys.bytes),
      LimitUse("storedBytesPerPrincipal", quotas.storedBytes),
      LimitUse("storedRowsPerPrincipal", quotas.storedRows),
      LimitUse("storedBytesPerMinute", quotas.storedBytesPerMinute),
      LimitUse("idempotencyKeysPerPrincipal", quotas.idempotencyKeys),
      LimitUse("keyBytesPerPrincipal", quotas.keyBytes),
    ]
  }

  private func quotas(of principal: Int64) throws -> [LimitUse] {
    let store = commands.store
    let usage = try store.read { (snapshot) throws(StoreError) in
      _ = try snapshot.principal(id: principal)
      return try snapshot.usage(principal: principal)
    }
    let quotas = store.quotas
    return [
      LimitUse("storedBytesPerPrincipal", quotas.storedBytes, used: usage.storedBytes),
      LimitUse("storedRowsPerPrincipal", quotas.storedRows, used: usage.rows),
      LimitUse("idempotencyKeysPerPrincipal", quotas.idempotencyKeys, used: usage.keys),
      LimitUse("keyBytesPerPrincipal", quotas.keyBytes, used: usage.keyBytes),
      LimitUse(
        "watchesPerPrincipal", Int64(watches.limits.watchesPerPrincipal),
        used: Int64(watches.count(of: principal))),
    ]
  }

  func listLongWork(
    _ request: ListLongWorkRequest, _ call: CallContext
  ) throws -> ListLongWorkResponse {
    _ = try call.administrator()
    var response = ListLongWorkResponse()
    response.work = commands.store.work.running.map(QuiverAPI.LongWork.init)
    return response
  }
}

extension LimitUse {
  init(_ name: String, _ value: Int64, used: Int64? = nil, reached: UInt64 = 0) {
    self.init()
    self.name = name
    self.value = value
    self.used = used
    reachedCount = reached
  }
}

extension QuiverAPI.LongWork {
  init(_ work: QuiverStore.LongWork) {
    self.init()
    id = work.id
    kind = LongWorkKind(rawValue: work.kind.rawValue)
    principalID = work.principal
    beganAtMilliseconds = work.beganAtMilliseconds
    done = work.done
    total = work.total
  }
}
