public import QuiverRPC

/// The service `quiver.v1.Comparison`: statistics of bow setups, tests of their differences, and
/// handicaps.
///
/// Statistics use the caller's own arrows with `scored_at` in the range (start inclusive, end
/// exclusive), of rounds that name a setup. A round that straddles an end of the range counts as a
/// round, with its arrows in the range. Completed rounds count, unfinished and paused rounds on
/// request; cancelled rounds and rounds of guests never count. Each call shows one state of the
/// store.
public enum Comparison: RPCService {
  /// The methods of ``Comparison``.
  public struct Methods: Sendable {
    /// Lists the setups that can be compared: active ones, by shown name ignoring case, then by id.
    public let listComparableSetups = UnaryMethod<
      ListComparableSetupsRequest, ListComparableSetupsResponse
    >("quiver.v1.Comparison/ListComparableSetups", id: 4353)
    /// Returns the statistics of one bow setup.
    public let getSetupPerformance = UnaryMethod<
      GetSetupPerformanceRequest, PerformanceResponse
    >(
      "quiver.v1.Comparison/GetSetupPerformance", id: 4354)
    /// Returns the statistics of one item of equipment, over the rounds of all setup versions that
    /// contain it.
    public let getItemPerformance = UnaryMethod<
      GetItemPerformanceRequest, PerformanceResponse
    >(
      "quiver.v1.Comparison/GetItemPerformance", id: 4355)
    /// Compares two to four setups, every pair of them.
    public let compare = UnaryMethod<CompareRequest, CompareResponse>(
      "quiver.v1.Comparison/Compare", id: 4356)
    /// Returns the statistics of the first, second, third arrow of an end, and so on.
    public let getArrowNumbers = UnaryMethod<GetArrowNumbersRequest, GetArrowNumbersResponse>(
      "quiver.v1.Comparison/GetArrowNumbers", id: 4357)

    /// Returns the range that the caller chose last; thirty days if none was chosen.
    public let getRange = UnaryMethod<GetRangeRequest, RangeChoice>(
      "quiver.v1.Comparison/GetRange", id: 4358)
    /// Stores the range that requests without one use.
    public let setRange = UnaryMethod<SetRangeRequest, RangeChoice>(
      "quiver.v1.Comparison/SetRange", id: 4359, mutating: true)

    /// Returns the score of a handicap in a round, by the Archery GB tables of 2023.
    public let getHandicapScore = UnaryMethod<
      GetHandicapScoreRequest, GetHandicapScoreResponse
    >(
      "quiver.v1.Comparison/GetHandicapScore", id: 4368)
    /// Returns the handicap of a score: the largest whose table score equals it, else the smallest
    /// whose table score is not above it.
    public let getScoreHandicap = UnaryMethod<
      GetScoreHandicapRequest, GetScoreHandicapResponse
    >(
      "quiver.v1.Comparison/GetScoreHandicap", id: 4369)
    /// Returns the classes of Archery GB that a round gives to a category, and the class of a
    /// score.
    ///
    /// Only whole target rounds of Archery GB and World Archery and the field rounds of World
    /// Archery give classes; others are INVALID_ARGUMENT, as is a bowstyle, gender or age group
    /// that neither the request nor the profile has.
    public let getClassification = UnaryMethod<
      GetClassificationRequest, GetClassificationResponse
    >(
      "quiver.v1.Comparison/GetClassification", id: 4370)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
