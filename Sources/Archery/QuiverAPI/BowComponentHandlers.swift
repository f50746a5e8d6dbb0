public import QuiverRPC

/// What answers ``Equipment`` about the bow components: riser, limbs, sight, rest and plunger.
public protocol BowComponentHandlers: Sendable {
  func createRiser(
    _ request: CreateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>)
  func getRiser(
    _ request: GetRiserRequest, _ call: CallContext
  ) throws(RPCError) -> Riser
  func updateRiser(
    _ request: UpdateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>)
  func deleteRiser(
    _ request: DeleteRiserRequest, _ call: CallContext, _ responder: Responder<DeleteRiserResponse>)
  func archiveRiser(
    _ request: ArchiveRiserRequest, _ call: CallContext, _ responder: Responder<Riser>)
  func restoreRiser(
    _ request: RestoreRiserRequest, _ call: CallContext, _ responder: Responder<Riser>)

  func createLimbs(
    _ request: CreateLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>)
  func getLimbs(
    _ request: GetLimbsRequest, _ call: CallContext
  ) throws(RPCError) -> Limbs
  func updateLimbs(
    _ request: UpdateLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>)
  func deleteLimbs(
    _ request: DeleteLimbsRequest, _ call: CallContext, _ responder: Responder<DeleteLimbsResponse>)
  func archiveLimbs(
    _ request: ArchiveLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>)
  func restoreLimbs(
    _ request: RestoreLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>)

  func createSight(
    _ request: CreateSightRequest, _ call: CallContext, _ responder: Responder<Sight>)
  func getSight(
    _ request: GetSightRequest, _ call: CallContext
  ) throws(RPCError) -> Sight
  func updateSight(
    _ request: UpdateSightRequest, _ call: CallContext, _ responder: Responder<Sight>)
  func deleteSight(
    _ request: DeleteSightRequest, _ call: CallContext, _ responder: Responder<DeleteSightResponse>)
  func archiveSight(
    _ request: ArchiveSightRequest, _ call: CallContext, _ responder: Responder<Sight>)
  func restoreSight(
    _ request: RestoreSightRequest, _ call: CallContext, _ responder: Responder<Sight>)

  func createRest(
    _ request: CreateRestRequest, _ call: CallContext, _ responder: Responder<Rest>)
  func getRest(
    _ request: GetRestRequest, _ call: CallContext
  ) throws(RPCError) -> Rest
  func updateRest(
    _ request: UpdateRestRequest, _ call: CallContext, _ responder: Responder<Rest>)
  func deleteRest(
    _ request: DeleteRestRequest, _ call: CallContext, _ responder: Responder<DeleteRestResponse>)
  func archiveRest(
    _ request: ArchiveRestRequest, _ call: CallContext, _ responder: Responder<Rest>)
  func restoreRest(
    _ request: RestoreRestRequest, _ call: CallContext, _ responder: Responder<Rest>)

  func createPlunger(
    _ request: CreatePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>)
  func getPlunger(
    _ request: GetPlungerRequest, _ call: CallContext
  ) throws(RPCError) -> Plunger
  func updatePlunger(
    _ request: UpdatePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>)
  func deletePlunger(
    _ request: DeletePlungerRequest, _ call: CallContext,
    _ responder: Responder<DeletePlungerResponse>)
  func archivePlunger(
    _ request: ArchivePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>)
  func restorePlunger(
    _ request: RestorePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>)
}

extension BowComponentHandlers {
  @inlinable
  public var bowComponentRoutes: [Route] {
    [
      .responding(Equipment.createRiser, createRiser),
      .synchronous(Equipment.getRiser, getRiser),
      .responding(Equipment.updateRiser, updateRiser),
      .responding(Equipment.deleteRiser, deleteRiser),
      .responding(Equipment.archiveRiser, archiveRiser),
      .responding(Equipment.restoreRiser, restoreRiser),
      .responding(Equipment.createLimbs, createLimbs),
      .synchronous(Equipment.getLimbs, getLimbs),
      .responding(Equipment.updateLimbs, updateLimbs),
      .responding(Equipment.deleteLimbs, deleteLimbs),
      .responding(Equipment.archiveLimbs, archiveLimbs),
      .responding(Equipment.restoreLimbs, restoreLimbs),
      .responding(Equipment.createSight, createSight),
      .synchronous(Equipment.getSight, getSight),
      .responding(Equipment.updateSight, updateSight),
      .responding(Equipment.deleteSight, deleteSight),
      .responding(Equipment.archiveSight, archiveSight),
      .responding(Equipment.restoreSight, restoreSight),
      .responding(Equipment.createRest, createRest),
      .synchronous(Equipment.getRest, getRest),
      .responding(Equipment.updateRest, updateRest),
      .responding(Equipment.deleteRest, deleteRest),
      .responding(Equipment.archiveRest, archiveRest),
      .responding(Equipment.restoreRest, restoreRest),
      .responding(Equipment.createPlunger, createPlunger),
      .synchronous(Equipment.getPlunger, getPlunger),
      .responding(Equipment.updatePlunger, updatePlunger),
      .responding(Equipment.deletePlunger, deletePlunger),
      .responding(Equipment.archivePlunger, archivePlunger),
      .responding(Equipment.restorePlunger, restorePlunger),
    ]
  }
}
