import QuiverAPI
import QuiverRPC

/// Every body is the same: the type is all that differs.
extension EquipmentService {
  func createBowString(
    _ request: CreateBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>
  ) {
    calls.create(request, call, responder)
  }

  func getBowString(_ request: GetBowStringRequest, _ call: CallContext) throws(RPCError)
    -> BowString
  {
    try calls.get(request, call)
  }

  func updateBowString(
    _ request: UpdateBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>
  ) {
    calls.update(request, call, responder)
  }

  func deleteBowString(
    _ request: DeleteBowStringRequest, _ call: CallContext,
    _ responder: Responder<DeleteBowStringResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveBowString(
    _ request: ArchiveBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreBowString(
    _ request: RestoreBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>
  ) {
    calls.restore(request, call, responder)
  }

  func createStabilizer(
    _ request: CreateStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>
  ) {
    calls.create(request, call, responder)
  }

  func getStabilizer(_ request: GetStabilizerRequest, _ call: CallContext) throws(RPCError)
    -> Stabilizer
  {
    try calls.get(request, call)
  }

  func updateStabilizer(
    _ request: UpdateStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>
  ) {
    calls.update(request, call, responder)
  }

  func deleteStabilizer(
    _ request: DeleteStabilizerRequest, _ call: CallContext,
    _ responder: Responder<DeleteStabilizerResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveStabilizer(
    _ request: ArchiveStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreStabilizer(
    _ request: RestoreStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>
  ) {
    calls.restore(request, call, responder)
  }

  func createWeight(
    _ request: CreateWeightRequest, _ call: CallContext, _ responder: Responder<Weight>
  ) {
    calls.create(request, call, responder)
  }

  func getWeight(_ request: GetWeightRequest, _ call: CallContext) throws(RPCError) -> Weight {
    try calls.get(request, call)
  }

  func updateWeight(
    _ request: UpdateWeightRequest, _ call: CallContext, _ responder: Responder<Weight>
  ) {
    calls.update(request, call, responder)
  }

  func deleteWeight(
    _ request: DeleteWeightRequest, _ call: CallContext,
    _ responder: Responder<DeleteWeightResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveWeight(
    _ request: ArchiveWeightRequest, _ call: CallContext, _ responder: Responder<Weight>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreWeight(
    _ request: RestoreWeightRequest, _ call: CallContext, _ responder: Responder<Weight>
  ) {
    calls.restore(request, call, responder)
  }
}
