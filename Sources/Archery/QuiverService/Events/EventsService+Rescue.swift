import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore

extension EventsService {
  /// Applies operations that a device has signed and somebody else delivers, as that device.
  ///
  /// They have ids of their own: what was stored before has no effect again, whoever delivers it,
  /// so that the reply is kept under no key.
  func deliverOperations(
    _ request: DeliverOperationsRequest, _ call: CallContext,
    _ responder: Responder<DeliverOperationsResponse>
  ) throws {
    let text = try RescuedText(request.text)
    let rescued = try RescuedOperations.signed(text)
    let store = commands.store
    let device = try codes.find(request.text, call) { () throws(StoreError) in
      try store.device(rescued.deviceID, thatSigned: text)
    }
    if let refusal = store.queueRefusal(of: device.principal) { throw RPCError(refusal) }
    let work = try RescueWork(rescued)
    let carrier = call.caller?.actorID ?? 0
    let cancellation = CommandCancellation()
    responder.onCancel { cancellation.cancel() }
    var options = call.commandOptions(
      CommandCaller(principal: device.principal), cancellation)
    options.idempotency = nil
    let asDevice = options
    Task {
      do throws(StoreError) {
        var response = try await work.apply(commands, asDevice)
        response.tournamentID = device.event
        response.device = device.device
        let count = response.effectCount
        if count > 0 {
          // Without a deadline: the operations have their effect already.
          _ = try? await commands.perform(
            NoteRescue(carrier: max(0, carrier), count: count),
            CommandOptions(caller: CommandCaller(principal: device.principal)))
        }
        responder.succeed(encoded: response.serializedBytes())
      } catch {
        responder.fail(RPCError(error))
      }
    }
  }
}

/// The commands of rescued operations.
private struct RescueWork: Sendable {
  private let arrows: [ApplyOperations]
  private let arrowIDs: [[UInt8]]
  private let cards: [CardOperation]
  private let matches: [MatchOperation]

  init(_ rescued: RescuedOperations) throws {
    arrows = rescued.operations.isEmpty ? [] : try ScoringCalls.commands(rescued.operations)
    arrowIDs = rescued.operations.map(\.clientID)
    (cards, matches) = (rescued.cardOperations, rescued.matchOperations)
  }

  func apply(
    _ commands: CommandCalls, _ options: CommandOptions
  ) async throws(StoreError) -> DeliverOperationsResponse {
    var response = DeliverOperationsResponse()
    if !arrows.isEmpty {
      let outcomes = try await ScoringCalls(commands: commands).apply(arrows[...], options)
      response.verdicts = zip(outcomes, arrowIDs).map { outcome, id in
        var verdict = OperationVerdict(outcome, clientID: id)
        verdict.arrow = nil
        return verdict
      }
    }
    if !cards.isEmpty {
      let drafts = cards.enumerated().map { $1.draft(path: "card_operations[\($0)].") }
      let outcomes = try await commands.perform(try ApplyCardOperations(drafts), options)
      response.cardVerdicts = zip(outcomes, cards).map { outcome, operation in
        var verdict = CardOperationVerdict(outcome, clientID: operation.clientID)
        verdict.end = nil
        return verdict
      }
    }
    if !matches.isEmpty {
      let drafts = matches.enumerated().map { $1.draft(path: "match_operations[\($0)].") }
      let outcomes = try await commands.perform(try ApplyMatchOperations(drafts), options)
      response.matchVerdicts = zip(outcomes, matches).map { outcome, operation in
        var verdict = MatchOperationVerdict(outcome, clientID: operation.clientID)
        verdict.match = nil
        return verdict
      }
    }
    return response
  }
}

extension RescuedOperations {
  /// What a device has signed; throws INVALID_ARGUMENT for bytes that are no such message, and for
  /// none or too many operations.
  fileprivate static func signed(_ text: RescuedText) throws -> RescuedOperations {
    guard var rescued = try? RescuedOperations(serializedBytes: text.payload) else {
      throw RPCError.invalid("text", "must be operations that a device has signed")
    }
    let counts = [
      rescued.operations.count, rescued.cardOperations.count, rescued.matchOperations.count,
    ]
    let limit = StoreLimits.operationsPerCommand
    guard counts.contains(where: { $0 > 0 }), counts.allSatisfy({ $0 <= limit }) else {
      throw RPCError.invalid("text", "must have 1 to \(limit) operations of a kind")
    }
    let device = rescued.device
    for index in rescued.operations.indices where rescued.operations[index].device.isEmpty {
      rescued.operations[index].device = device
    }
    for index in rescued.cardOperations.indices where rescued.cardOperations[index].device.isEmpty {
      rescued.cardOperations[index].device = device
    }
    for index in rescued.matchOperations.indices
    where rescued.matchOperations[index].device.isEmpty {
      rescued.matchOperations[index].device = device
    }
    return rescued
  }
}

extension DeliverOperationsResponse {
  /// How many operations had an effect.
  fileprivate var effectCount: Int {
    verdicts.count { $0.verdict == .stored || $0.verdict == .late }
      + cardVerdicts.count { $0.verdict == .stored || $0.verdict == .late }
      + matchVerdicts.count { $0.verdict == .stored || $0.verdict == .late }
  }
}
