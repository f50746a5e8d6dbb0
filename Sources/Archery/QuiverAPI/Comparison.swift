package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Comparison`: which of two setups shoots better, and how sure that is.
public enum Comparison {
  /// The setups to choose from: active ones, by shown name without regard to case, then by id.
  public static let listComparableSetups = UnaryMethod<
    ListComparableSetupsRequest, ListComparableSetupsResponse
  >("quiver.v1.Comparison/ListComparableSetups", id: 4353)
  public static let getSetupPerformance = UnaryMethod<
    GetSetupPerformanceRequest, PerformanceResponse
  >(
    "quiver.v1.Comparison/GetSetupPerformance", id: 4354)
  /// Of one piece of equipment: over the rounds of all setup versions that held it.
  public static let getPiecePerformance = UnaryMethod<
    GetPiecePerformanceRequest, PerformanceResponse
  >(
    "quiver.v1.Comparison/GetPiecePerformance", id: 4355)
  /// Two to four setups side by side, every pair of them compared.
  public static let compare = UnaryMethod<CompareRequest, CompareResponse>(
    "quiver.v1.Comparison/Compare", id: 4356)
  /// First, second, third arrow of an end: what each of them does.
  public static let getArrowNumbers = UnaryMethod<GetArrowNumbersRequest, GetArrowNumbersResponse>(
    "quiver.v1.Comparison/GetArrowNumbers", id: 4357)

  /// The range that the caller chose last; thirty days where nobody has chosen yet.
  public static let getRange = UnaryMethod<GetRangeRequest, RangeChoice>(
    "quiver.v1.Comparison/GetRange", id: 4358)
  public static let setRange = UnaryMethod<SetRangeRequest, RangeChoice>(
    "quiver.v1.Comparison/SetRange", id: 4359, mutating: true)

  /// The score that a handicap stands for in a round, by the Archery GB tables of 2023.
  public static let getHandicapScore = UnaryMethod<
    GetHandicapScoreRequest, GetHandicapScoreResponse
  >(
    "quiver.v1.Comparison/GetHandicapScore", id: 4368)
  /// The handicap that a score stands for.
  public static let getScoreHandicap = UnaryMethod<
    GetScoreHandicapRequest, GetScoreHandicapResponse
  >(
    "quiver.v1.Comparison/GetScoreHandicap", id: 4369)

  package static let methods: [MethodInfo] = [
    listComparableSetups.info, getSetupPerformance.info, getPiecePerformance.info, compare.info,
    getArrowNumbers.info, getRange.info, setRange.info, getHandicapScore.info,
    getScoreHandicap.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Comparison", number: 17, methods.map(\.schema))
}

/// What answers ``Comparison``.
package protocol ComparisonHandlers: Sendable {
  func listComparableSetups(
    _ request: ListComparableSetupsRequest, _ call: CallContext
  ) throws(RPCError) -> ListComparableSetupsResponse
  func getSetupPerformance(
    _ request: GetSetupPerformanceRequest, _ call: CallContext
  ) throws(RPCError) -> PerformanceResponse
  func getPiecePerformance(
    _ request: GetPiecePerformanceRequest, _ call: CallContext
  ) throws(RPCError) -> PerformanceResponse
  func compare(
    _ request: CompareRequest, _ call: CallContext, _ responder: Responder<CompareResponse>)
  func getArrowNumbers(
    _ request: GetArrowNumbersRequest, _ call: CallContext,
    _ responder: Responder<GetArrowNumbersResponse>)

  func getRange(_ request: GetRangeRequest, _ call: CallContext) throws(RPCError) -> RangeChoice
  func setRange(
    _ request: SetRangeRequest, _ call: CallContext, _ responder: Responder<RangeChoice>)

  func getHandicapScore(
    _ request: GetHandicapScoreRequest, _ call: CallContext
  ) throws(RPCError) -> GetHandicapScoreResponse
  func getScoreHandicap(
    _ request: GetScoreHandicapRequest, _ call: CallContext
  ) throws(RPCError) -> GetScoreHandicapResponse
}

extension ComparisonHandlers {
  package var routes: [Route] {
    [
      .synchronous(Comparison.listComparableSetups, listComparableSetups),
      .synchronous(Comparison.getSetupPerformance, getSetupPerformance),
      .synchronous(Comparison.getPiecePerformance, getPiecePerformance),
      .responding(Comparison.compare, compare),
      .responding(Comparison.getArrowNumbers, getArrowNumbers),
      .synchronous(Comparison.getRange, getRange),
      .responding(Comparison.setRange, setRange),
      .synchronous(Comparison.getHandicapScore, getHandicapScore),
      .synchronous(Comparison.getScoreHandicap, getScoreHandicap),
    ]
  }
}
