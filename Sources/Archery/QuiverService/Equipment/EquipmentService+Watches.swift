import QuiverAPI
import QuiverRPC
import QuiverStore

extension EquipmentService {
  func watchHub(
    _ request: WatchHubRequest, _ call: CallContext, _ replies: StreamResponder<WatchHubResponse>
  ) throws {
    try JournalWatch.start(
      HubWatch(principal: try call.storeCaller().principal), watches, call, replies)
  }

  func watchItems(
    _ request: WatchItemsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchItemsResponse>
  ) throws {
    let caller = try call.storeCaller()
    let filter = EquipmentFilter(
      type: try Self.type(request.type), includesArchived: request.includeArchived)
    try JournalWatch.start(
      ItemsWatch(principal: caller.principal, filter: filter), watches, call, replies)
  }

  func watchBowSetups(
    _ request: WatchBowSetupsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchBowSetupsResponse>
  ) throws {
    let source = BowSetupsWatch(
      principal: try call.storeCaller().principal, includesInactive: request.includeInactive)
    try JournalWatch.start(source, watches, call, replies)
  }
}
