public import QuiverAPI
import QuiverCalendar
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Weight entries. Each change is stored on this device first and sent in order;
/// ``delete(_:detaches:)`` deletes them too.
extension OfflineSession {
  /// Stores a new entry and returns its local id.
  ///
  /// The default day is the day of its instant in `timeZone`, an IANA name; the default instant is
  /// now. Throws for a value that is not valid, with the path of the field; nothing is stored then.
  @discardableResult
  public func create(
    _ entry: WeightEntry, timeZone: String = ""
  ) async throws(SessionError) -> LocalID {
    var entry = entry
    if entry.measuredAtMilliseconds == 0 {
      entry.measuredAtMilliseconds = WallClock.nowMilliseconds()
    }
    if entry.day == nil, !timeZone.isEmpty {
      guard let zone = try? CivilZone(timeZone) else {
        throw SessionError(.invalid, "there is no such time zone", field: "time_zone")
      }
      entry.day = zone.day(ofMilliseconds: entry.measuredAtMilliseconds)
    }
    let made = entry
    return try await edited { (edits) throws(SessionError) in
      LocalID(rawValue: try edits.create(Self.kind(WeightEntry.self), Self.dynamic(made)))
    }
  }

  /// Stores the fields that differ from this device's entry; does nothing if none do.
  public func update(_ id: LocalID, to entry: WeightEntry) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.update(id.rawValue, to: Self.dynamic(entry))
    }
  }

  /// This device's entries with their pending changes, in no particular order.
  func weightEntries() async throws(SessionError) -> [LocalWeight] {
    guard let kind = CachedKind.numbered(CachedKind.weightEntryNumber) else { return [] }
    return try await store().read { (transaction) throws(SessionError) in
      var found: [LocalWeight] = []
      for object in try transaction.objects(kind) where object.isVisible {
        guard let bytes = object.localMessage else { continue }
        let marks = try transaction.outboxRows(of: object.key).map { max($0.state.rawValue, 1) }
        found.append(
          LocalWeight(
            id: LocalID(rawValue: object.key), entry: try WeightEntryFields.entry(bytes),
            mark: SyncMark(rawValue: marks.max() ?? 0) ?? .waiting))
      }
      return found
    }
  }

  /// The server's last plan; nil if it had none.
  func weightPlan() async throws(SessionError) -> WeightPlan? {
    try await store().read { (transaction) throws(SessionError) in
      guard let (bytes, _) = try transaction.answer(Self.planName), !bytes.isEmpty else {
        return nil
      }
      return try? WeightPlan(serializedBytes: bytes)
    }
  }

  /// Fetches all entries and the plan.
  func fetchWeights(_ store: LocalStore) async throws(SessionError) {
    guard let kind = CachedKind.numbered(CachedKind.weightEntryNumber) else { return }
    var request = ListWeightEntriesRequest()
    request.pageSize = 500
    var entries: [WeightEntry] = []
    repeat {
      let page = try await call(Logbook.listWeightEntries, request)
      entries += page.entries
      request.pageToken = page.nextPageToken
    } while try goesOn(request.pageToken, entries.count)
    let plan = try await fetchedPlan()
    let (found, limits) = (entries, configuration.limits)
    try await store.write { (transaction) throws(SessionError) in
      let now = WallClock.nowMilliseconds()
      try transaction.keepAnswer(kind.listName, [], fetchedAt: now, key: .weightEntries)
      try transaction.keepAnswer(Self.planName, plan, fetchedAt: now, key: .weightPlan)
      let items = found.map { entry in
        SeenItem(
          serverID: entry.id, clientID: entry.clientID, title: "", subtitle: "",
          isArchived: false, revision: entry.revision)
      }
      let changed = Set(try transaction.takeList(kind, items, limits: limits))
      for entry in found where changed.contains(entry.id) {
        try transaction.takeWhole(kind, decoded(kind.schema, entry.serializedBytes()))
      }
    }
  }

  /// The plan's bytes; empty if there is none.
  private func fetchedPlan() async throws(SessionError) -> [UInt8] {
    do throws(SessionError) {
      return try await call(Logbook.getWeightPlan, GetWeightPlanRequest())
        .serializedBytes()
    } catch {
      guard error.code == .call(.notFound) else { throw error }
      return []
    }
  }

  private static let planName = "weight plan"
}

/// A weight entry of this device.
struct LocalWeight {
  let id: LocalID
  let entry: WeightEntry
  let mark: SyncMark

  /// The entry as a value of the rules; nil for an unknown unit.
  var weighIn: WeighIn? {
    guard let unit = QuiverRules.WeightUnit(rawValue: entry.unit.rawValue), let day = entry.day
    else { return nil }
    return WeighIn(
      id: id.rawValue, day: day, instantMilliseconds: entry.measuredAtMilliseconds,
      weight: BodyWeight(thousandths: entry.thousandths, unit: unit),
      hasNote: entry.note.unicodeScalars.contains { !$0.properties.isWhitespace })
  }
}
