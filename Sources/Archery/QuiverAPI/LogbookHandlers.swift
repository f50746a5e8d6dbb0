package import QuiverRPC

/// What answers ``Logbook``.
package protocol LogbookHandlers: Sendable {
  func createWeightEntry(
    _ request: CreateWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>)
  func getWeightEntry(_ request: GetWeightEntryRequest, _ call: CallContext) throws(RPCError)
    -> WeightEntry
  func updateWeightEntry(
    _ request: UpdateWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>)
  func deleteWeightEntry(
    _ request: DeleteWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>)
  func restoreWeightEntry(
    _ request: RestoreWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>)
  func listWeightEntries(_ request: ListWeightEntriesRequest, _ call: CallContext) throws(RPCError)
    -> ListWeightEntriesResponse
  func getWeightSections(_ request: GetWeightSectionsRequest, _ call: CallContext) async throws
    -> GetWeightSectionsResponse
  func getWeightChart(_ request: GetWeightChartRequest, _ call: CallContext) async throws
    -> GetWeightChartResponse
  func setWeightPlan(
    _ request: SetWeightPlanRequest, _ call: CallContext, _ responder: Responder<WeightPlan>)
  func getWeightPlan(_ request: GetWeightPlanRequest, _ call: CallContext) throws(RPCError)
    -> WeightPlan
  func deleteWeightPlan(
    _ request: DeleteWeightPlanRequest, _ call: CallContext,
    _ responder: Responder<DeleteWeightPlanResponse>)
  func getMilestones(_ request: GetMilestonesRequest, _ call: CallContext) async throws
    -> GetMilestonesResponse
  func importWeights(
    _ request: ImportWeightsRequest, _ call: CallContext,
    _ responder: Responder<ImportWeightsResponse>)
  func exportWeights(_ request: ExportWeightsRequest, _ call: CallContext) async throws
    -> ExportWeightsResponse
  func watchWeights(
    _ request: WatchWeightsRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchWeightsResponse>)
  func importSets(
    _ requests: RequestStream<ImportSetsRequest>, _ call: CallContext,
    _ replies: ReplyWriter<ImportSetsResponse>) async throws
  func createSet(_ request: CreateSetRequest, _ call: CallContext, _ responder: Responder<LiftSet>)
  func getSet(_ request: GetSetRequest, _ call: CallContext) throws(RPCError) -> LiftSet
  func updateSet(_ request: UpdateSetRequest, _ call: CallContext, _ responder: Responder<LiftSet>)
  func deleteSet(
    _ request: DeleteSetRequest, _ call: CallContext, _ responder: Responder<DeleteSetResponse>)
  func listSets(_ request: ListSetsRequest, _ call: CallContext) async throws
    -> ListSetsResponse
  func listExercises(_ request: ListExercisesRequest, _ call: CallContext) async throws
    -> ListExercisesResponse
  func getLiftSeries(_ request: GetLiftSeriesRequest, _ call: CallContext) async throws
    -> GetLiftSeriesResponse
  func getNearestLift(_ request: GetNearestLiftRequest, _ call: CallContext) async throws
    -> LiftPoint
  func compareFormulas(_ request: CompareFormulasRequest, _ call: CallContext) throws(RPCError)
    -> CompareFormulasResponse
  func exportSets(_ request: ExportSetsRequest, _ call: CallContext) async throws
    -> ExportSetsResponse
  func getTrainingLog(_ request: GetTrainingLogRequest, _ call: CallContext) async throws
    -> GetTrainingLogResponse
  func watchTrainingLog(
    _ request: WatchTrainingLogRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchTrainingLogResponse>)
}

extension LogbookHandlers {
  package var routes: [Route] {
    [
      .responding(Logbook.createWeightEntry, createWeightEntry),
      .synchronous(Logbook.getWeightEntry, getWeightEntry),
      .responding(Logbook.updateWeightEntry, updateWeightEntry),
      .responding(Logbook.deleteWeightEntry, deleteWeightEntry),
      .responding(Logbook.restoreWeightEntry, restoreWeightEntry),
      .synchronous(Logbook.listWeightEntries, listWeightEntries),
      .asynchronous(Logbook.getWeightSections, getWeightSections),
      .asynchronous(Logbook.getWeightChart, getWeightChart),
      .responding(Logbook.setWeightPlan, setWeightPlan),
      .synchronous(Logbook.getWeightPlan, getWeightPlan),
      .responding(Logbook.deleteWeightPlan, deleteWeightPlan),
      .asynchronous(Logbook.getMilestones, getMilestones),
      .responding(Logbook.importWeights, importWeights),
      .asynchronous(Logbook.exportWeights, exportWeights),
      .streamResponding(Logbook.watchWeights, watchWeights),
      .bidirectional(Logbook.importSets, importSets),
      .responding(Logbook.createSet, createSet),
      .synchronous(Logbook.getSet, getSet),
      .responding(Logbook.updateSet, updateSet),
      .responding(Logbook.deleteSet, deleteSet),
      .asynchronous(Logbook.listSets, listSets),
      .asynchronous(Logbook.listExercises, listExercises),
      .asynchronous(Logbook.getLiftSeries, getLiftSeries),
      .asynchronous(Logbook.getNearestLift, getNearestLift),
      .synchronous(Logbook.compareFormulas, compareFormulas),
      .asynchronous(Logbook.exportSets, exportSets),
      .asynchronous(Logbook.getTrainingLog, getTrainingLog),
      .streamResponding(Logbook.watchTrainingLog, watchTrainingLog),
    ]
  }
}
