import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension LogbookService {
  func watchWeights(
    _ request: WatchWeightsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchWeightsResponse>
  ) throws {
    try JournalWatch.start(
      WeightsWatch(principal: try call.storeCaller().principal), watches, call, replies)
  }
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
