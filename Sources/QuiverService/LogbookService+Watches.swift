import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension LogbookService {
  func watchWeights(
    _ request: WatchWeightsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchWeightsResponse>
  ) {
    replies.failing { () throws(RPCError) in
      Watch.start(
        WeightsWatch(principal: try call.storeCaller().principal), feed, call, replies)
    }
  }

  func watchTrainingLog(
    _ request: WatchTrainingLogRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchTrainingLogResponse>
  ) {
    replies.failing { () throws(RPCError) in
      let principal = try call.storeCaller().principal
      try QuiverRules.WeightUnit.check(request.unit)
      let days = try Self.days(request.fromDay, request.toDay)
      guard days.count <= Self.watchedDays else {
        throw .invalid("to_day", "must be at most \(Self.watchedDays) days from from_day")
      }
      Watch.start(
        TrainingLogWatch(principal: principal, days: days, unit: request.unit), feed, call,
        replies)
    }
  }

  /// Days of a training log that one watch shows.
  private static let watchedDays = 93
}

/// All weight entries of a principal.
private struct WeightsWatch: WatchSource {
  let principal: Int64

  var key: ChangeFeed.Key { .principal(principal) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchWeightsResponse, next: String) {
    let page = try snapshot.weightEntries(principal: principal, pageSize: .max, pageToken: token)
    var response = WatchWeightsResponse()
    response.changed = page.items.map(WeightEntry.init)
    return (response, page.nextPageToken)
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    entry.principal == principal && entry.kind == .weightEntry
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchWeightsResponse? {
    var response = WatchWeightsResponse()
    for id in Set(entries.map(\.objectID)).sorted() {
      let record = try snapshot.weightEntry(id: id, principal: principal)
      if let record, record.deletedAtMilliseconds == 0 {
        response.changed.append(WeightEntry(record))
      } else {
        response.removedIDs.append(id)
      }
    }
    return response
  }
}

/// Some days of a training log, which any change of entries or sets may change.
private struct TrainingLogWatch: WatchSource {
  let principal: Int64
  let days: ClosedRange<Int32>
  let unit: QuiverAPI.WeightUnit

  var key: ChangeFeed.Key { .principal(principal) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchTrainingLogResponse, next: String) {
    let unit = try QuiverRules.WeightUnit.shown(unit, snapshot, principal: principal)
    var response = WatchTrainingLogResponse()
    response.days = try snapshot.trainingDays(days, in: unit, principal: principal).map {
      TrainingDay($0, in: unit)
    }
    response.unit = unit.message
    return (response, "")
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    entry.principal == principal
      && [.weightEntry, .liftSet, .strengthLog, .principal].contains(entry.kind)
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchTrainingLogResponse? {
    try part("", snapshot).message
  }
}
