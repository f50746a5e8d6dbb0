public import QuiverRPC

/// What answers ``Equipment`` about bow setups.
public protocol BowSetupHandlers: Sendable {
  func createBowSetup(
    _ request: CreateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>)
  func getBowSetup(
    _ request: GetBowSetupRequest, _ call: CallContext
  ) throws(RPCError) -> BowSetup
  func listBowSetups(
    _ request: ListBowSetupsRequest, _ call: CallContext
  ) throws(RPCError) -> ListBowSetupsResponse
  func updateBowSetup(
    _ request: UpdateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>)
  func deleteBowSetup(
    _ request: DeleteBowSetupRequest, _ call: CallContext,
    _ responder: Responder<DeleteBowSetupResponse>)
  func copyBowSetup(
    _ request: CopyBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>)
  func setDefaultBowSetup(
    _ request: SetDefaultBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>)
  func activateBowSetup(
    _ request: ActivateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>)
  func deactivateBowSetup(
    _ request: DeactivateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>)
  func addBowSetupComponent(
    _ request: AddBowSetupComponentRequest, _ call: CallContext, _ responder: Responder<BowSetup>)
  func removeBowSetupComponent(
    _ request: RemoveBowSetupComponentRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  )
}

extension BowSetupHandlers {
  @inlinable
  public var bowSetupRoutes: [Route] {
    [
      .responding(Equipment.createBowSetup, createBowSetup),
      .synchronous(Equipment.getBowSetup, getBowSetup),
      .synchronous(Equipment.listBowSetups, listBowSetups),
      .responding(Equipment.updateBowSetup, updateBowSetup),
      .responding(Equipment.deleteBowSetup, deleteBowSetup),
      .responding(Equipment.copyBowSetup, copyBowSetup),
      .responding(Equipment.setDefaultBowSetup, setDefaultBowSetup),
      .responding(Equipment.activateBowSetup, activateBowSetup),
      .responding(Equipment.deactivateBowSetup, deactivateBowSetup),
      .responding(Equipment.addBowSetupComponent, addBowSetupComponent),
      .responding(Equipment.removeBowSetupComponent, removeBowSetupComponent),
    ]
  }
}
