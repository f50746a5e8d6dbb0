public import QuiverRPC

/// What answers ``Equipment``.
public protocol EquipmentHandlers: BowComponentHandlers, StringAndStabilizationHandlers,
  ArrowAndAccessoryHandlers, SightMarkHandlers, BowSetupHandlers
{
  func getHub(_ request: GetHubRequest, _ call: CallContext) throws(RPCError) -> GetHubResponse
  func listItems(
    _ request: ListItemsRequest, _ call: CallContext
  ) throws(RPCError) -> ListItemsResponse
}

extension EquipmentHandlers {
  @inlinable
  public var routes: [Route] {
    [
      .synchronous(Equipment.getHub, getHub), .synchronous(Equipment.listItems, listItems),
    ] + bowComponentRoutes + stringAndStabilizationRoutes + arrowAndAccessoryRoutes
      + sightMarkRoutes + bowSetupRoutes
  }
}
