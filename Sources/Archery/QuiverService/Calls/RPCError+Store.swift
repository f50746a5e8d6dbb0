import QuiverAPI
public import QuiverRPC
public import QuiverRules
package import QuiverStore
import QuiverWire

extension RPCError {
  /// An error of the store as a status: the same code, and the marker and the path of the field
  /// before the message.
  init(_ error: StoreError) {
    self.init(
      StatusCode(rawValue: error.code.rawValue),
      error.text,
      details: error.current.map { [$0.detail] } ?? [], isNotProcessed: error.notProcessed,
      retryAfterMilliseconds: error.retryAfterMilliseconds)
  }

  /// A field of the request that is not valid.
  static func invalid(_ field: String, _ message: String) -> RPCError {
    RPCError(.invalidArgument, "\(field): \(message)")
  }
}

extension StoreError: RPCErrorConvertible {
  package var rpcError: RPCError { RPCError(self) }
}

extension RuleViolation: RPCErrorConvertible {
  public var rpcError: RPCError { .invalid(field, message) }
}

extension CurrentObject {
  /// The object as a detail of a status.
  var detail: RPCError.Detail {
    switch self {
    case .equipment(let record): Self.detail(of: record)
    case .holdingSetups(let holders): RPCError.Detail(HeldBySetups(holders))
    case .bowSetup(let record): RPCError.Detail(BowSetup(record))
    case .sightMark(let record): RPCError.Detail(SightMark(record))
    case .principal(let record): RPCError.Detail(Principal(record))
    case .profile(let record): RPCError.Detail(Profile(record))
    case .weightEntry(let record): RPCError.Detail(WeightEntry(record))
    case .weightPlan(let record): RPCError.Detail(WeightPlan(record))
    case .liftSet(let record): RPCError.Detail(QuiverAPI.LiftSet(record))
    case .round(let record): RPCError.Detail(Round(record))
    case .tournament(let record): RPCError.Detail(TournamentEvent(record))
    case .arrow(let record): RPCError.Detail(ScoredArrow(record))
    case .entry(let record): RPCError.Detail(EventEntry(record))
    case .category(let record): RPCError.Detail(EventCategory(record))
    case .eventSession(let record): RPCError.Detail(EventSession(record))
    case .bracket(let record): RPCError.Detail(QuiverAPI.EliminationBracket(record))
    case .match(let record):
      RPCError.Detail(EliminationMatch(record.match, in: record.bracket, showsCards: true))
    case .card(let record): RPCError.Detail(ComparedCard(record, showsSignatures: false))
    case .pause(let record): RPCError.Detail(ShootingPause(record))
    case .openSteps(let steps): RPCError.Detail(OpenEventSteps(steps))
    }
  }

  private static func detail(of record: EquipmentRecord) -> RPCError.Detail {
    func detail<Item: EquipmentItemMessage>(_: Item.Type) -> RPCError.Detail {
      RPCError.Detail(Item(record))
    }
    return detail(Equipment.itemType(record.content.type))
  }
}
