public import QuiverRPC

/// What answers ``Equipment`` about bow string, stabilizer and weight.
public protocol StringAndStabilizationHandlers: Sendable {
  func createBowString(
    _ request: CreateBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>)
  func getBowString(
    _ request: GetBowStringRequest, _ call: CallContext
  ) throws(RPCError) -> BowString
  func updateBowString(
    _ request: UpdateBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>)
  func deleteBowString(
    _ request: DeleteBowStringRequest, _ call: CallContext,
    _ responder: Responder<DeleteBowStringResponse>)
  func archiveBowString(
    _ request: ArchiveBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>)
  func restoreBowString(
    _ request: RestoreBowStringRequest, _ call: CallContext, _ responder: Responder<BowString>)

  func createStabilizer(
    _ request: CreateStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>)
  func getStabilizer(
    _ request: GetStabilizerRequest, _ call: CallContext
  ) throws(RPCError) -> Stabilizer
  func updateStabilizer(
    _ request: UpdateStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>)
  func deleteStabilizer(
    _ request: DeleteStabilizerRequest, _ call: CallContext,
    _ responder: Responder<DeleteStabilizerResponse>)
  func archiveStabilizer(
    _ request: ArchiveStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>)
  func restoreStabilizer(
    _ request: RestoreStabilizerRequest, _ call: CallContext, _ responder: Responder<Stabilizer>)

  func createWeight(
    _ request: CreateWeightRequest, _ call: CallContext, _ responder: Responder<Weight>)
  func getWeight(
    _ request: GetWeightRequest, _ call: CallContext
  ) throws(RPCError) -> Weight
  func updateWeight(
    _ request: UpdateWeightRequest, _ call: CallContext, _ responder: Responder<Weight>)
  func deleteWeight(
    _ request: DeleteWeightRequest, _ call: CallContext,
    _ responder: Responder<DeleteWeightResponse>)
  func archiveWeight(
    _ request: ArchiveWeightRequest, _ call: CallContext, _ responder: Responder<Weight>)
  func restoreWeight(
    _ request: RestoreWeightRequest, _ call: CallContext, _ responder: Responder<Weight>)
}

extension StringAndStabilizationHandlers {
  @inlinable
  public var stringAndStabilizationRoutes: [Route] {
    [
      .responding(Equipment.createBowString, createBowString),
      .synchronous(Equipment.getBowString, getBowString),
      .responding(Equipment.updateBowString, updateBowString),
      .responding(Equipment.deleteBowString, deleteBowString),
      .responding(Equipment.archiveBowString, archiveBowString),
      .responding(Equipment.restoreBowString, restoreBowString),
      .responding(Equipment.createStabilizer, createStabilizer),
      .synchronous(Equipment.getStabilizer, getStabilizer),
      .responding(Equipment.updateStabilizer, updateStabilizer),
      .responding(Equipment.deleteStabilizer, deleteStabilizer),
      .responding(Equipment.archiveStabilizer, archiveStabilizer),
      .responding(Equipment.restoreStabilizer, restoreStabilizer),
      .responding(Equipment.createWeight, createWeight),
      .synchronous(Equipment.getWeight, getWeight),
      .responding(Equipment.updateWeight, updateWeight),
      .responding(Equipment.deleteWeight, deleteWeight),
      .responding(Equipment.archiveWeight, archiveWeight),
      .responding(Equipment.restoreWeight, restoreWeight),
    ]
  }
}
