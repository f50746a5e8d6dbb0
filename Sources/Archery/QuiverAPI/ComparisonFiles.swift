import QuiverProtobuf

/// The file of `Protos` that ``Comparison`` is made of.
enum ComparisonFiles {
  static let all: [ProtoFile] = [
    ProtoFile(
      path: "quiver/v1/comparison.proto",
      dependencies: ["round_format", "sight_mark", "wire"].map { "quiver/v1/\($0).proto" },
      messages: [
        RangeChoice.schema.core, ComparedSetup.schema.core,
        ListComparableSetupsRequest.schema.core, ListComparableSetupsResponse.schema.core,
        ComparableSetup.schema.core, GetSetupPerformanceRequest.schema.core,
        GetPiecePerformanceRequest.schema.core, PerformanceResponse.schema.core,
        ShownRange.schema.core, SetupPerformance.schema.core, FaceGroup.schema.core,
        GroupSize.schema.core, StratumKey.schema.core, StratumPerformance.schema.core,
        TenRateEstimate.schema.core, CompareRequest.schema.core, CompareResponse.schema.core,
        SetupResult.schema.core, ShotPosition.schema.core, StratumResult.schema.core,
        SetupPair.schema.core, PairDeltas.schema.core, ShownDelta.schema.core,
        PairInference.schema.core, MetricInference.schema.core, TenRateDifference.schema.core,
        PlaceInference.schema.core, GetArrowNumbersRequest.schema.core,
        GetArrowNumbersResponse.schema.core, ArrowNumber.schema.core, GetRangeRequest.schema.core,
        SetRangeRequest.schema.core, GetHandicapScoreRequest.schema.core,
        GetHandicapScoreResponse.schema.core, GetScoreHandicapRequest.schema.core,
        GetScoreHandicapResponse.schema.core,
      ],
      enums: [
        ComparisonRange.schema, ComparisonMetric.schema, DeltaDirection.schema,
        ComparisonVerdict.schema, PlaceVerdict.schema, InferenceMethod.schema,
      ],
      services: [Comparison.schema])
  ]
}
