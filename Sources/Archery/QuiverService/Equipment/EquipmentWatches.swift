import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// The hub, which any change of equipment or setups may change.
struct HubWatch: WatchSource {
  let principal: Int64

  var key: ChangeFeed.Key { .principal(principal) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchHubResponse, next: String) {
    var response = WatchHubResponse()
    response.hub = GetHubResponse(
      try snapshot.equipmentCounts(principal: principal),
      try snapshot.bowSetupCount(principal: principal))
    return (response, "")
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    entry.principal == principal && (entry.kind == .equipment || entry.kind == .bowSetup)
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchHubResponse? {
    try part("", snapshot).message
  }
}

/// A list of equipment.
struct ItemsWatch: WatchSource {
  let principal: Int64
  let filter: EquipmentFilter

  var key: ChangeFeed.Key { .principal(principal) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchItemsResponse, next: String) {
    let page = try snapshot.equipmentItems(
      principal: principal, filter, pageSize: .max, pageToken: token)
    var response = WatchItemsResponse()
    response.changed = page.items.map(EquipmentItem.init)
    return (response, page.nextPageToken)
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    entry.principal == principal && entry.kind == .equipment
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchItemsResponse? {
    var response = WatchItemsResponse()
    for id in Set(entries.map(\.objectID)).sorted() {
      guard let item = try snapshot.equipmentItem(id, principal: principal) else {
        response.removedIDs.append(id)
        continue
      }
      guard filter.type == nil || filter.type == item.type else { continue }
      if item.isArchived, !filter.includesArchived {
        response.removedIDs.append(id)
      } else {
        response.changed.append(EquipmentItem(item))
      }
    }
    return response.changed.isEmpty && response.removedIDs.isEmpty ? nil : response
  }
}

/// A list of bow setups.
struct BowSetupsWatch: WatchSource {
  let principal: Int64
  let includesInactive: Bool

  var key: ChangeFeed.Key { .principal(principal) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchBowSetupsResponse, next: String) {
    let page = try snapshot.bowSetups(
      principal: principal, includesInactive: includesInactive, pageSize: .max, pageToken: token)
    var response = WatchBowSetupsResponse()
    response.changed = page.items.map(BowSetupItem.init)
    return (response, page.nextPageToken)
  }

  func concerns(_ entry: JournalEntry) -> Bool {
    entry.principal == principal && entry.kind == .bowSetup
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchBowSetupsResponse? {
    var response = WatchBowSetupsResponse()
    for id in Set(entries.map(\.objectID)).sorted() {
      let item = try snapshot.bowSetupItem(id, principal: principal)
      if let item, item.isActive || includesInactive {
        response.changed.append(BowSetupItem(item))
      } else {
        response.removedIDs.append(id)
      }
    }
    return response
  }
}
