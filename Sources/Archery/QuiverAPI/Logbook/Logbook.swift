public import QuiverRPC

/// The service `quiver.v1.Logbook`: body weight, strength, and the training log.
///
/// All objects belong to the caller; an object of another principal is NOT_FOUND. An invalid value
/// is INVALID_ARGUMENT with the path of its field, and nothing is stored. A stale revision is
/// ABORTED with the current object as a detail. Month and weekday are those of an entry's stored
/// civil day.
public enum Logbook: RPCService {
  /// The methods of ``Logbook``.
  public struct Methods: Sendable {
    /// Creates an entry; at most 100,000 per principal.
    public let createWeightEntry = UnaryMethod<CreateWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/CreateWeightEntry", id: 4865, mutating: true)
    /// Returns one entry, deleted or not.
    public let getWeightEntry = UnaryMethod<GetWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/GetWeightEntry", id: 4866)
    /// Changes the fields of an entry that the mask names.
    public let updateWeightEntry = UnaryMethod<UpdateWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/UpdateWeightEntry", id: 4867, mutating: true)
    /// Deletes an entry, which can be restored for 30 days.
    public let deleteWeightEntry = UnaryMethod<DeleteWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/DeleteWeightEntry", id: 4868, mutating: true)
    /// Restores an entry that was deleted within the last 30 days.
    public let restoreWeightEntry = UnaryMethod<RestoreWeightEntryRequest, WeightEntry>(
      "quiver.v1.Logbook/RestoreWeightEntry", id: 4869, mutating: true)
    /// Lists entries, newest first: by day, time and id.
    public let listWeightEntries = UnaryMethod<
      ListWeightEntriesRequest, ListWeightEntriesResponse
    >(
      "quiver.v1.Logbook/ListWeightEntries", id: 4870)
    /// Returns the log by month, newest first. Values are computed over all entries before the
    /// filter is applied.
    public let getWeightSections = UnaryMethod<
      GetWeightSectionsRequest, GetWeightSectionsResponse
    >(
      "quiver.v1.Logbook/GetWeightSections", id: 4871)
    /// Returns daily means with a moving average, oldest first.
    public let getWeightChart = UnaryMethod<GetWeightChartRequest, GetWeightChartResponse>(
      "quiver.v1.Logbook/GetWeightChart", id: 4872)
    /// Replaces the plan from a start weight to a goal.
    public let setWeightPlan = UnaryMethod<SetWeightPlanRequest, WeightPlan>(
      "quiver.v1.Logbook/SetWeightPlan", id: 4873, mutating: true)
    /// Returns the plan; NOT_FOUND without one.
    public let getWeightPlan = UnaryMethod<GetWeightPlanRequest, WeightPlan>(
      "quiver.v1.Logbook/GetWeightPlan", id: 4874)
    /// Deletes the plan. Deleting a deleted plan changes nothing.
    public let deleteWeightPlan = UnaryMethod<
      DeleteWeightPlanRequest, DeleteWeightPlanResponse
    >(
      "quiver.v1.Logbook/DeleteWeightPlan", id: 4875, mutating: true)
    /// Returns the milestones of the plan with the entries that reached them, and a prediction.
    public let getMilestones = UnaryMethod<GetMilestonesRequest, GetMilestonesResponse>(
      "quiver.v1.Logbook/GetMilestones", id: 4876)
    /// Adds the entries of a CSV text: all of them or none.
    public let importWeights = UnaryMethod<ImportWeightsRequest, ImportWeightsResponse>(
      "quiver.v1.Logbook/ImportWeights", id: 4877, mutating: true)
    /// Returns all entries as CSV, page by page, oldest first.
    public let exportWeights = UnaryMethod<ExportWeightsRequest, ExportWeightsResponse>(
      "quiver.v1.Logbook/ExportWeights", id: 4878)
    /// Sends all entries in parts, then their changes.
    public let watchWeights = ServerStreamingMethod<WatchWeightsRequest, WatchWeightsResponse>(
      "quiver.v1.Logbook/WatchWeights", id: 4879)
    /// Imports a log of any length and reports progress. No set is visible before the import is
    /// complete; an interrupted import keeps nothing. A principal has one import at a time. While
    /// an import is being completed, changes of single sets are UNAVAILABLE.
    public let importSets = BidirectionalMethod<ImportSetsRequest, ImportSetsResponse>(
      "quiver.v1.Logbook/ImportSets", id: 4880, mutating: true)
    /// Creates a set.
    public let createSet = UnaryMethod<CreateSetRequest, LiftSet>(
      "quiver.v1.Logbook/CreateSet", id: 4881, mutating: true)
    /// Returns one set.
    public let getSet = UnaryMethod<GetSetRequest, LiftSet>(
      "quiver.v1.Logbook/GetSet", id: 4882)
    /// Changes the fields of a set that the mask names.
    public let updateSet = UnaryMethod<UpdateSetRequest, LiftSet>(
      "quiver.v1.Logbook/UpdateSet", id: 4883, mutating: true)
    /// Deletes a set.
    public let deleteSet = UnaryMethod<DeleteSetRequest, DeleteSetResponse>(
      "quiver.v1.Logbook/DeleteSet", id: 4884, mutating: true)
    /// Lists the sets of one exercise, newest first.
    public let listSets = UnaryMethod<ListSetsRequest, ListSetsResponse>(
      "quiver.v1.Logbook/ListSets", id: 4885)
    /// Lists exercises by the bytes of their names, with the record and the latest maximum.
    public let listExercises = UnaryMethod<ListExercisesRequest, ListExercisesResponse>(
      "quiver.v1.Logbook/ListExercises", id: 4886)
    /// Returns a window of daily maxima.
    public let getLiftSeries = UnaryMethod<GetLiftSeriesRequest, GetLiftSeriesResponse>(
      "quiver.v1.Logbook/GetLiftSeries", id: 4887)
    /// Returns the daily maximum nearest to a day.
    public let getNearestLift = UnaryMethod<GetNearestLiftRequest, LiftPoint>(
      "quiver.v1.Logbook/GetNearestLift", id: 4888)
    /// Computes the one-rep max of a set by each formula, without storing anything.
    public let compareFormulas = UnaryMethod<CompareFormulasRequest, CompareFormulasResponse>(
      "quiver.v1.Logbook/CompareFormulas", id: 4889)
    /// Returns all sets as a log, page by page.
    public let exportSets = UnaryMethod<ExportSetsRequest, ExportSetsResponse>(
      "quiver.v1.Logbook/ExportSets", id: 4890)
    /// Returns weight, sets and rounds by day.
    public let getTrainingLog = UnaryMethod<GetTrainingLogRequest, GetTrainingLogResponse>(
      "quiver.v1.Logbook/GetTrainingLog", id: 4891)
    /// Sends the days of a span, and sends them again whenever they may have changed.
    public let watchTrainingLog = ServerStreamingMethod<
      WatchTrainingLogRequest, WatchTrainingLogResponse
    >(
      "quiver.v1.Logbook/WatchTrainingLog", id: 4892)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
