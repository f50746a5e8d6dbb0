public import QuiverRPC

/// `quiver.v1.Comparison`: which of two setups shoots better, and how sure that is.
public enum Comparison: RPCService {
  public struct Methods: Sendable {
    /// The setups to choose from: active ones, by shown name without regard to case, then by id.
    public let listComparableSetups = UnaryMethod<
      ListComparableSetupsRequest, ListComparableSetupsResponse
    >("quiver.v1.Comparison/ListComparableSetups", id: 4353)
    public let getSetupPerformance = UnaryMethod<
      GetSetupPerformanceRequest, PerformanceResponse
    >(
      "quiver.v1.Comparison/GetSetupPerformance", id: 4354)
    /// Of one item of equipment: over the rounds of all setup versions that held it.
    public let getItemPerformance = UnaryMethod<
      GetItemPerformanceRequest, PerformanceResponse
    >(
      "quiver.v1.Comparison/GetItemPerformance", id: 4355)
    /// Two to four setups side by side, every pair of them compared.
    public let compare = UnaryMethod<CompareRequest, CompareResponse>(
      "quiver.v1.Comparison/Compare", id: 4356)
    /// First, second, third arrow of an end: what each of them does.
    public let getArrowNumbers = UnaryMethod<GetArrowNumbersRequest, GetArrowNumbersResponse>(
      "quiver.v1.Comparison/GetArrowNumbers", id: 4357)

    /// The range that the caller chose last; thirty days where nobody has chosen yet.
    public let getRange = UnaryMethod<GetRangeRequest, RangeChoice>(
      "quiver.v1.Comparison/GetRange", id: 4358)
    public let setRange = UnaryMethod<SetRangeRequest, RangeChoice>(
      "quiver.v1.Comparison/SetRange", id: 4359, mutating: true)

    /// The score that a handicap stands for in a round, by the Archery GB tables of 2023.
    public let getHandicapScore = UnaryMethod<
      GetHandicapScoreRequest, GetHandicapScoreResponse
    >(
      "quiver.v1.Comparison/GetHandicapScore", id: 4368)
    /// The handicap that a score stands for.
    public let getScoreHandicap = UnaryMethod<
      GetScoreHandicapRequest, GetScoreHandicapResponse
    >(
      "quiver.v1.Comparison/GetScoreHandicap", id: 4369)
  }

  public static let methods = Methods()
}
