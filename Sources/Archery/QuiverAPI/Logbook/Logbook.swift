public import QuiverRPC

/// `quiver.v1.Logbook`: body weight, strength, and the training log.
///
/// All objects belong to the caller; an object of another principal is NOT_FOUND. An invalid value
/// is INVALID_ARGUMENT with the path of its field, and nothing is stored. A stale revision is
/// ABORTED with the current object as a detail. Month and weekday are those of an entry's stored
/// civil day.
public enum Logbook: RPCService {
  public struct Methods: Sendable {
    public let createWeightEntry = UnaryMethod<CreateWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/CreateWeightEntry", id: 4865, mutating: true)
    public let getWeightEntry = UnaryMethod<GetWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/GetWeightEntry", id: 4866)
    public let updateWeightEntry = UnaryMethod<UpdateWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/UpdateWeightEntry", id: 4867, mutating: true)
    /// The entry can be restored for 30 days.
    public let deleteWeightEntry = UnaryMethod<DeleteWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/DeleteWeightEntry", id: 4868, mutating: true)
    public let restoreWeightEntry = UnaryMethod<RestoreWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/RestoreWeightEntry", id: 4869, mutating: true)
    /// Newest first, by day, `measured_at_ms` and id.
    public let listWeightEntries = UnaryMethod<
      ListWeightEntriesRequest, ListWeightEntriesResponse
    >(
      "quiver.v1.Logbook/ListWeightEntries", id: 4870)
    /// By month, newest first. Values are computed over all entries before the filter is applied.
    public let getWeightSections = UnaryMethod<
      GetWeightSectionsRequest, GetWeightSectionsResponse
    >(
      "quiver.v1.Logbook/GetWeightSections", id: 4871)
    /// Daily means with a moving average, oldest first.
    public let getWeightChart = UnaryMethod<GetWeightChartRequest, GetWeightChartResponse>(
      "quiver.v1.Logbook/GetWeightChart", id: 4872)
    public let setWeightPlan = UnaryMethod<SetWeightPlanRequest, WeightPlan>(
      "quiver.v1.Logbook/SetWeightPlan", id: 4873, mutating: true)
    public let getWeightPlan = UnaryMethod<GetWeightPlanRequest, WeightPlan>(
      "quiver.v1.Logbook/GetWeightPlan", id: 4874)
    public let deleteWeightPlan = UnaryMethod<
      DeleteWeightPlanRequest, DeleteWeightPlanResponse
    >(
      "quiver.v1.Logbook/DeleteWeightPlan", id: 4875, mutating: true)
    /// The milestones of the plan with the entries that reached them, and a prediction.
    public let getMilestones = UnaryMethod<GetMilestonesRequest, GetMilestonesResponse>(
      "quiver.v1.Logbook/GetMilestones", id: 4876)
    public let importWeights = UnaryMethod<ImportWeightsRequest, ImportWeightsResponse>(
      "quiver.v1.Logbook/ImportWeights", id: 4877, mutating: true)
    public let exportWeights = UnaryMethod<ExportWeightsRequest, ExportWeightsResponse>(
      "quiver.v1.Logbook/ExportWeights", id: 4878)
    /// All entries in parts, then their changes.
    public let watchWeights = ServerStreamingMethod<WatchWeightsRequest, WatchWeightsResponse>(
      "quiver.v1.Logbook/WatchWeights", id: 4879)
    /// Imports a log of any length and reports progress. No set is visible before the import is
    /// complete; an interrupted import keeps nothing. A principal has one import at a time. While
    /// an import is being completed, changes of single sets are UNAVAILABLE.
    public let importSets = BidirectionalMethod<ImportSetsRequest, ImportSetsResponse>(
      "quiver.v1.Logbook/ImportSets", id: 4880, mutating: true)
    public let createSet = UnaryMethod<CreateSetRequest, LiftSet>(
      "quiver.v1.Logbook/CreateSet", id: 4881, mutating: true)
    public let getSet = UnaryMethod<GetSetRequest, LiftSet>(
      "quiver.v1.Logbook/GetSet", id: 4882)
    public let updateSet = UnaryMethod<UpdateSetRequest, LiftSet>(
      "quiver.v1.Logbook/UpdateSet", id: 4883, mutating: true)
    public let deleteSet = UnaryMethod<DeleteSetRequest, DeleteSetResponse>(
      "quiver.v1.Logbook/DeleteSet", id: 4884, mutating: true)
    /// Of one exercise, newest first.
    public let listSets = UnaryMethod<ListSetsRequest, ListSetsResponse>(
      "quiver.v1.Logbook/ListSets", id: 4885)
    /// By the bytes of their names, with the record and the latest maximum.
    public let listExercises = UnaryMethod<ListExercisesRequest, ListExercisesResponse>(
      "quiver.v1.Logbook/ListExercises", id: 4886)
    /// A window of daily maxima.
    public let getLiftSeries = UnaryMethod<GetLiftSeriesRequest, GetLiftSeriesResponse>(
      "quiver.v1.Logbook/GetLiftSeries", id: 4887)
    public let getNearestLift = UnaryMethod<GetNearestLiftRequest, LiftPoint>(
      "quiver.v1.Logbook/GetNearestLift", id: 4888)
    public let compareFormulas = UnaryMethod<CompareFormulasRequest, CompareFormulasResponse>(
      "quiver.v1.Logbook/CompareFormulas", id: 4889)
    public let exportSets = UnaryMethod<ExportSetsRequest, ExportSetsResponse>(
      "quiver.v1.Logbook/ExportSets", id: 4890)
    public let getTrainingLog = UnaryMethod<GetTrainingLogRequest, GetTrainingLogResponse>(
      "quiver.v1.Logbook/GetTrainingLog", id: 4891)
    /// The days of a span, sent again whenever they may have changed.
    public let watchTrainingLog = ServerStreamingMethod<
      WatchTrainingLogRequest, WatchTrainingLogResponse
    >(
      "quiver.v1.Logbook/WatchTrainingLog", id: 4892)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
