package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Logbook`: body weight, strength, and the training log.
public enum Logbook {
  public static let createWeightEntry = Method<CreateWeightEntryRequest, WeightEntry>(
    "quiver.v1.Logbook/CreateWeightEntry", id: 4865, mutating: true)
  public static let getWeightEntry = Method<GetWeightEntryRequest, WeightEntry>(
    "quiver.v1.Logbook/GetWeightEntry", id: 4866)
  public static let updateWeightEntry = Method<UpdateWeightEntryRequest, WeightEntry>(
    "quiver.v1.Logbook/UpdateWeightEntry", id: 4867, mutating: true)
  /// It stays to be restored for 30 days.
  public static let deleteWeightEntry = Method<DeleteWeightEntryRequest, WeightEntry>(
    "quiver.v1.Logbook/DeleteWeightEntry", id: 4868, mutating: true)
  public static let restoreWeightEntry = Method<RestoreWeightEntryRequest, WeightEntry>(
    "quiver.v1.Logbook/RestoreWeightEntry", id: 4869, mutating: true)
  /// Newest first, by day, measured_at_ms and id.
  public static let listWeightEntries = Method<ListWeightEntriesRequest, ListWeightEntriesResponse>(
    "quiver.v1.Logbook/ListWeightEntries", id: 4870)
  /// Month by month, newest first, computed over all entries before anything is filtered.
  public static let getWeightSections = Method<GetWeightSectionsRequest, GetWeightSectionsResponse>(
    "quiver.v1.Logbook/GetWeightSections", id: 4871)
  /// Daily means with a moving average, oldest first.
  public static let getWeightChart = Method<GetWeightChartRequest, GetWeightChartResponse>(
    "quiver.v1.Logbook/GetWeightChart", id: 4872)
  public static let setWeightPlan = Method<SetWeightPlanRequest, WeightPlan>(
    "quiver.v1.Logbook/SetWeightPlan", id: 4873, mutating: true)
  public static let getWeightPlan = Method<GetWeightPlanRequest, WeightPlan>(
    "quiver.v1.Logbook/GetWeightPlan", id: 4874)
  public static let deleteWeightPlan = Method<DeleteWeightPlanRequest, DeleteWeightPlanResponse>(
    "quiver.v1.Logbook/DeleteWeightPlan", id: 4875, mutating: true)
  /// Those of the plan with what reached them, and a prediction.
  public static let getMilestones = Method<GetMilestonesRequest, GetMilestonesResponse>(
    "quiver.v1.Logbook/GetMilestones", id: 4876)
  public static let importWeights = Method<ImportWeightsRequest, ImportWeightsResponse>(
    "quiver.v1.Logbook/ImportWeights", id: 4877, mutating: true)
  public static let exportWeights = Method<ExportWeightsRequest, ExportWeightsResponse>(
    "quiver.v1.Logbook/ExportWeights", id: 4878)
  /// All entries in parts, then changes.
  public static let watchWeights = Method<WatchWeightsRequest, WatchWeightsResponse>(
    "quiver.v1.Logbook/WatchWeights", id: 4879, kind: .serverStreaming)
  /// A log of any length, with progress. What is sent is seen by nobody until all of it is; an
  /// import that breaks off keeps nothing. One principal has one import at a time, and while it
  /// ends single sets are UNAVAILABLE.
  public static let importSets = Method<ImportSetsRequest, ImportSetsResponse>(
    "quiver.v1.Logbook/ImportSets", id: 4880, kind: .bidirectional, mutating: true)
  public static let createSet = Method<CreateSetRequest, LiftSet>(
    "quiver.v1.Logbook/CreateSet", id: 4881, mutating: true)
  public static let getSet = Method<GetSetRequest, LiftSet>(
    "quiver.v1.Logbook/GetSet", id: 4882)
  public static let updateSet = Method<UpdateSetRequest, LiftSet>(
    "quiver.v1.Logbook/UpdateSet", id: 4883, mutating: true)
  public static let deleteSet = Method<DeleteSetRequest, DeleteSetResponse>(
    "quiver.v1.Logbook/DeleteSet", id: 4884, mutating: true)
  /// Of one exercise, newest first.
  public static let listSets = Method<ListSetsRequest, ListSetsResponse>(
    "quiver.v1.Logbook/ListSets", id: 4885)
  /// By the bytes of their names, with record and latest.
  public static let listExercises = Method<ListExercisesRequest, ListExercisesResponse>(
    "quiver.v1.Logbook/ListExercises", id: 4886)
  /// A window of daily maxima.
  public static let getLiftSeries = Method<GetLiftSeriesRequest, GetLiftSeriesResponse>(
    "quiver.v1.Logbook/GetLiftSeries", id: 4887)
  public static let getNearestLift = Method<GetNearestLiftRequest, LiftPoint>(
    "quiver.v1.Logbook/GetNearestLift", id: 4888)
  public static let compareFormulas = Method<CompareFormulasRequest, CompareFormulasResponse>(
    "quiver.v1.Logbook/CompareFormulas", id: 4889)
  public static let exportSets = Method<ExportSetsRequest, ExportSetsResponse>(
    "quiver.v1.Logbook/ExportSets", id: 4890)
  public static let getTrainingLog = Method<GetTrainingLogRequest, GetTrainingLogResponse>(
    "quiver.v1.Logbook/GetTrainingLog", id: 4891)
  /// The days of a span whenever they may have changed.
  public static let watchTrainingLog = Method<WatchTrainingLogRequest, WatchTrainingLogResponse>(
    "quiver.v1.Logbook/WatchTrainingLog", id: 4892, kind: .serverStreaming)

  package static let methods: [MethodInfo] = [
    createWeightEntry.info, getWeightEntry.info, updateWeightEntry.info, deleteWeightEntry.info,
    restoreWeightEntry.info, listWeightEntries.info, getWeightSections.info, getWeightChart.info,
    setWeightPlan.info, getWeightPlan.info, deleteWeightPlan.info, getMilestones.info,
    importWeights.info, exportWeights.info, watchWeights.info, importSets.info, createSet.info,
    getSet.info, updateSet.info, deleteSet.info, listSets.info, listExercises.info,
    getLiftSeries.info, getNearestLift.info, compareFormulas.info, exportSets.info,
    getTrainingLog.info, watchTrainingLog.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Logbook", number: 19, methods.map(\.schema))
}
