import QuiverProtobuf

/// The files of `Protos` that ``Logbook`` is made of, in the order in which they import each other.
enum LogbookFiles {
  static let all: [ProtoFile] = [
    ProtoFile(
      path: "quiver/v1/weight_unit.proto",
      enums: [WeightUnit.schema]),
    ProtoFile(
      path: "quiver/v1/weight_log.proto",
      dependencies: ["quiver/v1/watch.proto", "quiver/v1/weight_unit.proto"],
      messages: [
        WeightEntry.schema.core, CreateWeightEntryRequest.schema.core,
        GetWeightEntryRequest.schema.core, UpdateWeightEntryRequest.schema.core,
        DeleteWeightEntryRequest.schema.core, RestoreWeightEntryRequest.schema.core,
        ListWeightEntriesRequest.schema.core, ListWeightEntriesResponse.schema.core,
        WeightLogFilter.schema.core, GetWeightSectionsRequest.schema.core,
        GetWeightSectionsResponse.schema.core, WeightSection.schema.core, WeightLogRow.schema.core,
        WeeklyWeightRate.schema.core, GetWeightChartRequest.schema.core,
        GetWeightChartResponse.schema.core, WeightPoint.schema.core, WeightPlan.schema.core,
        SetWeightPlanRequest.schema.core, GetWeightPlanRequest.schema.core,
        DeleteWeightPlanRequest.schema.core, DeleteWeightPlanResponse.schema.core,
        GetMilestonesRequest.schema.core, GetMilestonesResponse.schema.core,
        WeightMilestone.schema.core, ImportWeightsRequest.schema.core,
        ImportWeightsResponse.schema.core, BadImportLine.schema.core,
        ExportWeightsRequest.schema.core, ExportWeightsResponse.schema.core,
        WatchWeightsRequest.schema.core, WatchWeightsResponse.schema.core,
      ],
      enums: [TrendDirection.schema, TrendMethod.schema, EmptyLog.schema, NoPrediction.schema]),
    ProtoFile(
      path: "quiver/v1/strength.proto",
      dependencies: ["quiver/v1/weight_log.proto", "quiver/v1/weight_unit.proto"],
      messages: [
        LiftSet.schema.core, CreateSetRequest.schema.core, GetSetRequest.schema.core,
        UpdateSetRequest.schema.core, DeleteSetRequest.schema.core, DeleteSetResponse.schema.core,
        ListSetsRequest.schema.core, ListSetsResponse.schema.core, ListExercisesRequest.schema.core,
        ListExercisesResponse.schema.core, Exercise.schema.core, LiftPoint.schema.core,
        GetLiftSeriesRequest.schema.core, GetLiftSeriesResponse.schema.core,
        GetNearestLiftRequest.schema.core, CompareFormulasRequest.schema.core,
        CompareFormulasResponse.schema.core, OneRepMaxEstimate.schema.core,
        ExportSetsRequest.schema.core, ExportSetsResponse.schema.core,
        ImportSetsRequest.schema.core, ImportOptions.schema.core, ImportSetsResponse.schema.core,
        ImportResult.schema.core,
      ],
      enums: [OneRepMaxFormula.schema, DayOrder.schema, ImportMode.schema]),
    ProtoFile(
      path: "quiver/v1/training_log.proto",
      dependencies: [
        "quiver/v1/scoring.proto", "quiver/v1/strength.proto", "quiver/v1/watch.proto",
        "quiver/v1/weight_unit.proto",
      ],
      messages: [
        WatchTrainingLogRequest.schema.core, WatchTrainingLogResponse.schema.core,
        GetTrainingLogRequest.schema.core, GetTrainingLogResponse.schema.core,
        TrainingDay.schema.core, TrainedExercise.schema.core, ShotRound.schema.core,
      ]),
    ProtoFile(
      path: "quiver/v1/logbook.proto",
      dependencies: [
        "quiver/v1/strength.proto", "quiver/v1/training_log.proto", "quiver/v1/weight_log.proto",
        "quiver/v1/wire.proto",
      ],
      services: [Logbook.schema]),
  ]
}
