public import QuiverRPC

/// What answers ``Equipment``.
public protocol EquipmentHandlers: BowComponentHandlers, StringAndStabilizationHandlers,
  ArrowAndAccessoryHandlers, SightMarkHandlers, BowSetupHandlers
{
  func getHub(_ request: GetHubRequest, _ call: CallContext) throws(RPCError) -> GetHubResponse
  func listItems(
    _ request: ListItemsRequest, _ call: CallContext
  ) throws(RPCError) -> ListItemsResponse
  func watchHub(
    _ request: WatchHubRequest, _ call: CallContext, _ replies: StreamResponder<WatchHubResponse>)
  func watchItems(
    _ request: WatchItemsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchItemsResponse>)
  func watchBowSetups(
    _ request: WatchBowSetupsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchBowSetupsResponse>)
}

extension EquipmentHandlers {
  @inlinable
  public var routes: [Route] {
    [
      .synchronous(Equipment.getHub, getHub), .synchronous(Equipment.listItems, listItems),
      .streamResponding(Equipment.watchHub, watchHub),
      .streamResponding(Equipment.watchItems, watchItems),
      .streamResponding(Equipment.watchBowSetups, watchBowSetups),
    ] + bowComponentRoutes + stringAndStabilizationRoutes + arrowAndAccessoryRoutes
      + sightMarkRoutes + bowSetupRoutes
  }
}
