import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension OfflineSession {
  /// The largest page of a list.
  private static let pageSize: UInt32 = 500
  /// The number of objects that are requested concurrently.
  private static let concurrentFetches = 16

  /// Runs a sync cycle, then `fetch`; returns the error that prevented either.
  func load(
    _ fetch: @escaping @Sendable (LocalStore) async throws(SessionError) -> Void
  ) async -> SessionError? {
    await queue.run {
      let report = await self.syncCycle()
      if let error = report.error { return error }
      do throws(SessionError) {
        try await fetch(self.store())
        return nil
      } catch {
        return error
      }
    }
  }

  func fetchHub(_ store: LocalStore) async throws(SessionError) {
    let hub = try await call(Equipment.getHub, GetHubRequest())
    try await store.write { (transaction) throws(SessionError) in
      try transaction.keepHub(hub, fetchedAt: WallClock.nowMilliseconds())
    }
  }

  /// Fetches all items of a type, including archived ones, and completely those that have changed.
  func fetchList(_ kind: CachedKind, _ store: LocalStore) async throws(SessionError) {
    var request = ListItemsRequest()
    request.type = EquipmentType(rawValue: Int32(clamping: kind.number))
    request.pageSize = Self.pageSize
    request.includeArchived = true
    var items: [SeenItem] = []
    repeat {
      let page = try await call(Equipment.listItems, request)
      items += page.items.map { item in
        SeenItem(
          serverID: item.id, clientID: item.clientID, title: item.displayBrand,
          subtitle: item.displayModel, isArchived: item.archived, revision: item.revision)
      }
      request.pageToken = page.nextPageToken
    } while try goesOn(request.pageToken, items.count)
    try await keep(kind, items, store)
  }

  /// Fetches all setups, including inactive ones, and completely those that have changed.
  func fetchSetups(_ store: LocalStore) async throws(SessionError) {
    guard let kind = CachedKind.numbered(CachedKind.setupNumber) else { return }
    var request = ListBowSetupsRequest()
    request.pageSize = Self.pageSize
    request.includeInactive = true
    var items: [SeenItem] = []
    repeat {
      let page = try await call(Equipment.listBowSetups, request)
      items += page.setups.map { item in
        SeenItem(
          serverID: item.id, clientID: item.clientID,
          title: item.name.isEmpty ? "Unnamed setup" : item.name, subtitle: "",
          isArchived: !item.isActive, revision: item.revision)
      }
      request.pageToken = page.nextPageToken
    } while try goesOn(request.pageToken, items.count)
    try await keep(kind, items, store)
  }

  /// Fetches one object completely.
  func fetchWhole(
    _ kind: CachedKind, serverID: Int64, _ store: LocalStore
  ) async throws(SessionError) {
    let message = try await whole(kind, serverID)
    try await store.write { (transaction) throws(SessionError) in
      try transaction.takeWhole(kind, message)
    }
  }

  private func whole(
    _ kind: CachedKind, _ serverID: Int64
  ) async throws(SessionError) -> DynamicMessage {
    guard let get = kind.get else {
      throw SessionError(.notPossible, "a \(kind.label) cannot be fetched by itself")
    }
    var request = DynamicMessage(get.schema.input)
    request.set("id", .int64(serverID))
    let answer: [UInt8]
    do throws(RPCError) {
      answer = try await answered(get, request.serializedBytes(), key: [])
    } catch {
      throw SessionError(error)
    }
    return try decoded(kind.schema, answer)
  }

  /// Fetches several objects completely and concurrently; skips those that were deleted in the
  /// meantime, which are missing from the next list.
  private func wholes(
    _ kind: CachedKind, _ serverIDs: some Sequence<Int64>
  ) async throws(SessionError) -> [DynamicMessage] {
    let results = await withTaskGroup(of: Result<DynamicMessage, SessionError>.self) { group in
      for id in serverIDs {
        group.addTask {
          do throws(SessionError) {
            return .success(try await self.whole(kind, id))
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var messages: [DynamicMessage] = []
    for result in results {
      switch result {
      case .success(let message): messages.append(message)
      case .failure(let error):
        guard error.code == .call(.notFound) else { throw error }
      }
    }
    return messages
  }

  func goesOn(_ pageToken: String, _ count: Int) throws(SessionError) -> Bool {
    guard Int64(count) <= configuration.limits.maxCachedObjects else {
      throw SessionError(
        .full, "this device keeps at most \(configuration.limits.maxCachedObjects) objects")
    }
    return !pageToken.isEmpty
  }

  private func keep(
    _ kind: CachedKind, _ items: [SeenItem], _ store: LocalStore
  ) async throws(SessionError) {
    let limits = configuration.limits
    let changed = try await store.write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        kind.listName, [], fetchedAt: WallClock.nowMilliseconds(), key: kind.changeKey)
      return try transaction.takeList(kind, items, limits: limits)
    }
    var ids = changed.prefix(limits.maxFetchedObjects)[...]
    while !ids.isEmpty {
      let batch = ids.prefix(Self.concurrentFetches)
      ids = ids.dropFirst(Self.concurrentFetches)
      let messages = try await wholes(kind, batch)
      try await store.write { (transaction) throws(SessionError) in
        for message in messages { try transaction.takeWhole(kind, message) }
      }
    }
  }
}

extension CachedKind {
  /// The name under which the time of its last list is stored.
  var listName: String { "list \(number)" }
}
