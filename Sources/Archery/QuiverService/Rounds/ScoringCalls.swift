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
    let caller = try commands.commandCaller(call)
    guard let operation else { throw RPCError.invalid("operation", "must be given") }
    let draft = try operation.draft(path: "operation", kind: kind)
    commands.submit(
      RecordArrows(draft), by: caller, call, responder
    ) { ScoreResponse($0) }
  }

  func recordEnd(
    _ request: RecordEndRequest, _ call: CallContext, _ responder: Responder<ScoreResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
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
    let caller = try commands.commandCaller(call)
    let slices = try Self.commands(request.operations)
    let names = request.operations.map(\.clientID)
    guard let last = slices.last, slices.count > 1 else {
      commands.submit(slices[0], by: caller, call, responder) { outcomes in
        ApplyOperationsResponse(outcomes, names)
      }
      return
    }
    commands.note(call)
    let cancellation = CommandCancellation()
    responder.onCancel { cancellation.cancel() }
    Task {
      let options = call.commandOptions(caller, cancellation)
      do throws(StoreError) {
        if let reply = try await storedReply(options) { return responder.succeed(encoded: reply) }
        let outcomes = try await apply(slices.dropLast(), options)
        responder.succeed(encoded: try await apply(last, after: outcomes, names, options))
      } catch {
        responder.fail(RPCError(error))
      }
    }
  }

  /// Applies the last slice of a batch; returns the encoded response for the whole batch.
  private func apply(
    _ last: ApplyOperations, after outcomes: [ScoringOutcome], _ names: [[UInt8]],
    _ options: CommandOptions
  ) async throws(StoreError) -> [UInt8] {
    do throws(StoreError) {
      return try await commands.perform(last, options) {
        ApplyOperationsResponse(outcomes + $0, names)
      }
    } catch {
      throw error.afterEffects
    }
  }

  /// The reply that is kept under the key of a call, if there is one.
  private func storedReply(_ options: CommandOptions) async throws(StoreError) -> [UInt8]? {
    guard let key = options.idempotency else { return nil }
    let (store, principal) = (commands.store, options.caller.principal)
    return try await store.reads.run(of: .principal(principal)) { () throws(StoreError) in
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.storedReply(key, principal: principal)
      }
    }
  }

  /// Applies slices of a batch, one after the other, without a key: the operations have ids of
  /// their own, so that a batch that ends early can be sent again.
  func apply(
    _ slices: ArraySlice<ApplyOperations>, _ options: CommandOptions
  ) async throws(StoreError) -> [ScoringOutcome] {
    var unkeyed = options
    unkeyed.idempotency = nil
    var outcomes: [ScoringOutcome] = []
    for slice in slices {
      do throws(StoreError) {
        outcomes += try await commands.perform(slice, unkeyed)
      } catch {
        throw outcomes.isEmpty ? error : error.afterEffects
      }
    }
    return outcomes
  }

  /// The commands of a batch, at least one; an operation that is not valid is refused in its
  /// verdict.
  static func commands(
    _ operations: [QuiverAPI.ScoringOperation]
  ) throws -> [ApplyOperations] {
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
    return try stride(from: 0, to: drafts.count, by: StoreLimits.operationsPerCommand).map {
      let end = min(drafts.count, $0 + StoreLimits.operationsPerCommand)
      return try ApplyOperations(Array(drafts[$0..<end]), path: "operations")
    }
  }
}

extension StoreError {
  /// The error of a command before which others of the same call had their effect.
  var afterEffects: StoreError {
    StoreError(
      code, message, field: field, marker: marker, current: current,
      retryAfterMilliseconds: retryAfterMilliseconds)
  }
}

extension ApplyOperationsResponse {
  init(_ outcomes: [ScoringOutcome], _ clientIDs: [[UInt8]]) {
    self.init()
    verdicts = zip(outcomes, clientIDs).map { OperationVerdict($0, clientID: $1) }
  }
}
