public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Strength sets. Each change is stored on this device first and sent in order;
/// ``delete(_:detaches:)`` deletes them too.
extension OfflineSession {
  /// Creates a set and returns its local id; assigns a `client_id` if it has none.
  ///
  /// Throws for a value that is not valid, with the path of the field, and above a limit; nothing
  /// is stored then.
  @discardableResult
  public func create(_ set: LiftSet) async throws(SessionError) -> LocalID {
    try await edited { (edits) throws(SessionError) in
      LocalID(rawValue: try edits.create(Self.kind(LiftSet.self), Self.dynamic(set)))
    }
  }

  /// Stores the fields that differ from this device's set; does nothing if none do.
  public func update(_ id: LocalID, to set: LiftSet) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.update(id.rawValue, to: Self.dynamic(set))
    }
  }

  /// This device's sets of an exercise with their pending changes, newest first: by day, then those
  /// that the server does not have yet, then by server id.
  public func liftSets(of exercise: String) async throws(SessionError) -> [LiftSetItem] {
    try await store().read { (transaction) throws(SessionError) in
      var items: [LiftSetItem] = []
      for object in try transaction.objects(Self.kind(LiftSet.self)) where object.isVisible {
        guard let bytes = object.localMessage else { continue }
        let set = try LiftSetFields.set(bytes)
        guard set.exercise.utf8.elementsEqual(exercise.utf8) else { continue }
        items.append(
          LiftSetItem(
            id: LocalID(rawValue: object.key), set: set,
            mark: try transaction.mark(of: object.key)))
      }
      return items.sorted { $0.order > $1.order }
    }
  }

  /// Fetches the newest sets of an exercise, at most ``SessionLimits/maxFetchedObjects``.
  func fetchLiftSets(of exercise: String, _ store: LocalStore) async throws(SessionError) {
    let limit = configuration.limits.maxFetchedObjects
    var request = ListSetsRequest()
    request.exercise = exercise
    request.pageSize = 500
    var sets: [LiftSet] = []
    repeat {
      let page = try await liftSets(request)
      sets += page.sets
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty && sets.count < limit
    let isCut = !request.pageToken.isEmpty
    try await keep(sets, of: exercise, isCut: isCut, store)
  }

  /// A page of sets; an empty one for an exercise without sets, which the server does not know.
  private func liftSets(_ request: ListSetsRequest) async throws(SessionError) -> ListSetsResponse {
    do throws(SessionError) {
      return try await call(Logbook.listSets, request)
    } catch {
      guard error.code == .call(.notFound) else { throw error }
      return ListSetsResponse()
    }
  }

  private func keep(
    _ sets: [LiftSet], of exercise: String, isCut: Bool, _ store: LocalStore
  ) async throws(SessionError) {
    let kind = try Self.kind(LiftSet.self)
    let limits = configuration.limits
    try await store.write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        Self.setsName(exercise), isCut ? [1] : [], fetchedAt: WallClock.nowMilliseconds(),
        key: .strengthSets)
      let items = sets.map { set in
        SeenItem(
          serverID: set.id, clientID: set.clientID, title: set.exercise, subtitle: "",
          isArchived: false, revision: set.revision)
      }
      let oldest = sets.last.map { ($0.day, $0.id) }
      let changed = Set(
        try transaction.takeList(kind, items, limits: limits) { (object) throws(SessionError) in
          guard let bytes = object.serverMessage else { return false }
          let set = try LiftSetFields.set(bytes)
          guard set.exercise.utf8.elementsEqual(exercise.utf8) else { return false }
          // Sets that are older than the list may still exist.
          guard isCut, let oldest else { return true }
          return (set.day, set.id) >= oldest
        })
      for set in sets where changed.contains(set.id) {
        try transaction.takeWhole(kind, decoded(kind.schema, set.serializedBytes()))
      }
    }
  }

  /// When the sets of an exercise were last fetched, and whether the server has older ones that
  /// were not; nil if they never were.
  func lastLiftSets(
    of exercise: String
  ) async throws(SessionError) -> (fetchedAt: Int64, isCut: Bool)? {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.answer(Self.setsName(exercise)).map { ($0.fetchedAt, !$0.message.isEmpty) }
    }
  }

  private static func setsName(_ exercise: String) -> String { "sets \(exercise)" }
}

/// A strength set as lists show it.
public struct LiftSetItem: Sendable, Equatable, Identifiable {
  /// The id of the set on this device.
  public let id: LocalID
  /// The set with its pending changes.
  public let set: LiftSet
  /// Whether the server has the state that is shown.
  public let mark: SyncMark

  fileprivate var order: (Int32, Int64, Int64) {
    (set.day, set.id == 0 ? .max : set.id, id.rawValue)
  }
}
