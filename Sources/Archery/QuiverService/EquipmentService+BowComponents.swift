import QuiverAPI
import QuiverRPC

/// Every body is the same: the type is all that differs.
extension EquipmentService {
  func createRiser(
    _ request: CreateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>
  ) {
    calls.create(request, call, responder)
  }

  func getRiser(_ request: GetRiserRequest, _ call: CallContext) throws(RPCError) -> Riser {
    try calls.get(request, call)
  }

  func updateRiser(
    _ request: UpdateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>
  ) {
    calls.update(request, call, responder)
  }

  func deleteRiser(
    _ request: DeleteRiserRequest, _ call: CallContext, _ responder: Responder<DeleteRiserResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveRiser(
    _ request: ArchiveRiserRequest, _ call: CallContext, _ responder: Responder<Riser>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreRiser(
    _ request: RestoreRiserRequest, _ call: CallContext, _ responder: Responder<Riser>
  ) {
    calls.restore(request, call, responder)
  }

  func createLimbs(
    _ request: CreateLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>
  ) {
    calls.create(request, call, responder)
  }

  func getLimbs(_ request: GetLimbsRequest, _ call: CallContext) throws(RPCError) -> Limbs {
    try calls.get(request, call)
  }

  func updateLimbs(
    _ request: UpdateLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>
  ) {
    calls.update(request, call, responder)
  }

  func deleteLimbs(
    _ request: DeleteLimbsRequest, _ call: CallContext, _ responder: Responder<DeleteLimbsResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveLimbs(
    _ request: ArchiveLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreLimbs(
    _ request: RestoreLimbsRequest, _ call: CallContext, _ responder: Responder<Limbs>
  ) {
    calls.restore(request, call, responder)
  }

  func createSight(
    _ request: CreateSightRequest, _ call: CallContext, _ responder: Responder<Sight>
  ) {
    calls.create(request, call, responder)
  }

  func getSight(_ request: GetSightRequest, _ call: CallContext) throws(RPCError) -> Sight {
    try calls.get(request, call)
  }

  func updateSight(
    _ request: UpdateSightRequest, _ call: CallContext, _ responder: Responder<Sight>
  ) {
    calls.update(request, call, responder)
  }

  func deleteSight(
    _ request: DeleteSightRequest, _ call: CallContext, _ responder: Responder<DeleteSightResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveSight(
    _ request: ArchiveSightRequest, _ call: CallContext, _ responder: Responder<Sight>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreSight(
    _ request: RestoreSightRequest, _ call: CallContext, _ responder: Responder<Sight>
  ) {
    calls.restore(request, call, responder)
  }

  func createRest(
    _ request: CreateRestRequest, _ call: CallContext, _ responder: Responder<Rest>
  ) {
    calls.create(request, call, responder)
  }

  func getRest(_ request: GetRestRequest, _ call: CallContext) throws(RPCError) -> Rest {
    try calls.get(request, call)
  }

  func updateRest(
    _ request: UpdateRestRequest, _ call: CallContext, _ responder: Responder<Rest>
  ) {
    calls.update(request, call, responder)
  }

  func deleteRest(
    _ request: DeleteRestRequest, _ call: CallContext, _ responder: Responder<DeleteRestResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveRest(
    _ request: ArchiveRestRequest, _ call: CallContext, _ responder: Responder<Rest>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreRest(
    _ request: RestoreRestRequest, _ call: CallContext, _ responder: Responder<Rest>
  ) {
    calls.restore(request, call, responder)
  }

  func createPlunger(
    _ request: CreatePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>
  ) {
    calls.create(request, call, responder)
  }

  func getPlunger(_ request: GetPlungerRequest, _ call: CallContext) throws(RPCError) -> Plunger {
    try calls.get(request, call)
  }

  func updatePlunger(
    _ request: UpdatePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>
  ) {
    calls.update(request, call, responder)
  }

  func deletePlunger(
    _ request: DeletePlungerRequest, _ call: CallContext,
    _ responder: Responder<DeletePlungerResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archivePlunger(
    _ request: ArchivePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>
  ) {
    calls.archive(request, call, responder)
  }

  func restorePlunger(
    _ request: RestorePlungerRequest, _ call: CallContext, _ responder: Responder<Plunger>
  ) {
    calls.restore(request, call, responder)
  }
}
