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

  /// This device's entries with their pending changes, in no particular order; the deleted ones
  /// that can be restored instead if `isDeleted`.
  func weightEntries(isDeleted: Bool = false) async throws(SessionError) -> [LocalWeight] {
    guard let kind = CachedKind.numbered(CachedKind.weightEntryNumber) else { return [] }
    return try await store().read { (transaction) throws(SessionError) in
      var found: [LocalWeight] = []
      for object in try transaction.objects(kind)
      where object.isVisible && object.isArchived == isDeleted {
        guard let bytes = object.localMessage else { continue }
        found.append(
          LocalWeight(
            id: LocalID(rawValue: object.key), entry: try WeightEntryFields.entry(bytes),
            mark: try transaction.mark(of: object.key)))
      }
      return found
    }
  }

  /// Fetches all entries, those that can be restored, and the plan.
  func fetchWeights(_ store: LocalStore) async throws(SessionError) {
    guard let kind = CachedKind.numbered(CachedKind.weightEntryNumber) else { return }
    var entries: [Int64: WeightEntry] = [:]
    for isDeleted in [true, false] {
      var request = ListWeightEntriesRequest()
      request.pageSize = 500
      request.deleted = isDeleted
      repeat {
        let page = try await call(Logbook.listWeightEntries, request)
        // An entry that was deleted or restored between the two lists may be in both.
        for entry in page.entries where entry.revision > entries[entry.id]?.revision ?? 0 {
          entries[entry.id] = entry
        }
        request.pageToken = page.nextPageToken
      } while try goesOn(request.pageToken, entries.count)
    }
    try await fetchWeightPlan(store)
    let (found, limits) = (entries, configuration.limits)
    try await store.write { (transaction) throws(SessionError) in
      let now = WallClock.nowMilliseconds()
      try transaction.keepAnswer(kind.listName, [], fetchedAt: now, key: .weightEntries)
      let items = found.values.map { entry in
        SeenItem(
          serverID: entry.id, clientID: entry.clientID, title: "", subtitle: "",
          isArchived: entry.deletedAtMilliseconds != 0, revision: entry.revision)
      }
      for id in try transaction.takeList(kind, items, limits: limits) {
        guard let entry = found[id] else { continue }
        try transaction.takeWhole(kind, decoded(kind.schema, entry.serializedBytes()))
      }
    }
  }
}

extension LocalTransaction {
  /// Whether the server has an object as it is shown.
  func mark(of key: Int64) throws(SessionError) -> SyncMark {
    let states = try outboxRows(of: key).map { max($0.state.rawValue, 1) }
    return SyncMark(rawValue: states.max() ?? 0) ?? .waiting
  }
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
