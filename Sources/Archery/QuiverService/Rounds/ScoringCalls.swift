import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// The scoring calls of rounds and tournaments.
struct ScoringCalls: Sendable {
  let commands: CommandCalls

  func record(
    _ operation: QuiverAPI.ScoringOperation?, as kind: QuiverStore.OperationKind,
    _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) throws {
    let caller = try call.storeCaller()
    guard let operation else { throw RPCError.invalid("operation", "must be given") }
    let draft = try operation.draft(path: "operation", kind: kind)
    commands.submit(
      RecordArrows(draft), by: caller, call, responder
    ) { ScoreResponse($0) }
  }

  func recordEnd(
    _ request: RecordEndRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) throws {
    let caller = try call.storeCaller()
    guard request.operations.count <= RecordArrows.maximumCount else {
      throw RPCError.invalid("operations", "must be from 1 to \(RecordArrows.maximumCount)")
    }
    var drafts: [OperationDraft] = []
    for (index, operation) in request.operations.enumerated() {
      drafts.append(try operation.draft(path: "operations[\(index)]", kind: .record))
    }
    let command = try RecordArrows(end: drafts, path: "operations")
    commands.submit(
      command, by: caller, call, responder
    ) { ScoreResponse($0) }
  }

  func apply(
    _ request: ApplyOperationsRequest, _ call: CallContext,
    _ responder: Responder<ApplyOperationsResponse>
  ) throws {
    let caller = try call.storeCaller()
    let command = try Self.command(request.operations)
    let names = request.operations.map(\.clientID)
    commands.submit(command, by: caller, call, responder) { outcomes in
      ApplyOperationsResponse(outcomes, names)
    }
  }

  /// The command of a batch; an operation that is not valid is refused in its verdict.
  static func command(
    _ operations: [QuiverAPI.ScoringOperation]
  ) throws -> ApplyOperations {
    guard (1...ApplyOperations.maximumCount).contains(operations.count) else {
      throw RPCError.invalid("operations", "must be from 1 to \(ApplyOperations.maximumCount)")
    }
    var drafts: [Result<OperationDraft, StoreError>] = []
    drafts.reserveCapacity(operations.count)
    for (index, operation) in operations.enumerated() {
      let path = "operations[\(index)]"
      do {
        guard !operation.clientID.isEmpty else {
          throw RPCError.invalid(path + ".client_id", "must be given in a batch")
        }
        drafts.append(.success(try operation.draft(path: path, kind: nil)))
      } catch {
        drafts.append(
          .failure(StoreError(.invalidArgument, RPCError(thrown: error).message)))
      }
    }
    return try ApplyOperations(drafts, path: "operations")
  }
}

extension ApplyOperationsResponse {
  init(_ outcomes: [ScoringOutcome], _ clientIDs: [[UInt8]]) {
    self.init()
    verdicts = zip(outcomes, clientIDs).map { OperationVerdict($0, clientID: $1) }
  }
}
