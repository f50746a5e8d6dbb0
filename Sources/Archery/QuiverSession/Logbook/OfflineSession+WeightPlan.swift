public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The weight plan. Each change is stored on this device first and sent in order.
extension OfflineSession {
  /// Replaces the plan, or makes one; does nothing if it is the same.
  ///
  /// Throws for a value that is not valid, with the path of the field; nothing is stored then. The
  /// fields of a plan depend on each other: if another device changed the plan meanwhile, the
  /// change is in conflict and the user decides.
  public func setWeightPlan(_ plan: WeightPlan) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.updateSingle(
        Self.kind(WeightPlan.self), to: Self.dynamic(plan), creates: true)
    }
  }

  /// Deletes the plan; does nothing if there is none on this device.
  public func deleteWeightPlan() async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.deleteSingle(Self.kind(WeightPlan.self))
    }
  }

  /// This device's plan with its pending changes; nil if there is none.
  public func weightPlan() async throws(SessionError) -> WeightPlan? {
    try await single(WeightPlan.self)?.message
  }

  /// The only object of a kind with its pending changes; nil if this device has none.
  func single<Object: Message>(
    _: Object.Type
  ) async throws(SessionError) -> (message: Object, mark: SyncMark)? {
    let kind = try Self.kind(Object.self)
    let found = try await store().read { (transaction) throws(SessionError) in
      try transaction.single(kind).map { (object) throws(SessionError) in
        (object, try transaction.mark(of: object.key))
      }
    }
    guard let (object, mark) = found, object.isVisible, let bytes = object.localMessage else {
      return nil
    }
    do throws(DecodeError) {
      return (try Object(serializedBytes: bytes), mark)
    } catch {
      throw .unreadable("a \(kind.label)")
    }
  }

  /// Fetches the plan.
  func fetchWeightPlan(_ store: LocalStore) async throws(SessionError) {
    let kind = try Self.kind(WeightPlan.self)
    let plan: WeightPlan?
    do throws(SessionError) {
      plan = try await call(Logbook.getWeightPlan, GetWeightPlanRequest())
    } catch {
      guard error.code == .call(.notFound) else { throw error }
      plan = nil
    }
    try await take(plan, kind, store)
  }

  /// Stores the server's only object of a kind; nil: it has none.
  func take<Object: Message>(
    _ message: Object?, _ kind: CachedKind, _ store: LocalStore
  ) async throws(SessionError) {
    try await store.write { (transaction) throws(SessionError) in
      try transaction.keepAnswer(
        kind.listName, [], fetchedAt: WallClock.nowMilliseconds(), key: kind.changeKey)
      var object = try transaction.single(kind) ?? LocalObject(kind: kind)
      guard try !transaction.hasOutboxRows(object.key) else { return }
      if let message {
        object.take(try decoded(kind.schema, message.serializedBytes()))
        try transaction.save(&object)
        try transaction.refreshLocal(&object)
      } else if object.key != 0 {
        try transaction.delete(object)
      }
    }
  }
}
