import QuiverProtobuf
import QuiverRPC
import QuiverStore
import Synchronization

/// Makes calls into commands and their outcomes into answers.
///
/// Any reactor may use it. A reply is encoded on the writer's thread and sent from the call's own
/// reactor, once its group is on the disk.
final class CommandCalls: Sendable {
  let store: Store
  private let targets = ReactorTargets()
  /// The coder of the writer's thread, where all replies are encoded.
  private let coder = Mutex(MessageCoder())

  init(_ store: Store) { self.store = store }

  /// Submits a command on behalf of a call, which ends with its reply as `message` shows it.
  ///
  /// `ended` is called with the outcome before the reply is sent.
  func submit<C: Command, Response: Message>(
    _ command: C, by caller: CommandCaller, _ call: CallContext,
    _ responder: Responder<Response>, keepsKey: Bool = true,
    ended: @escaping @Sendable (StoreError?) -> Void = { _ in },
    message: @escaping @Sendable (C.Reply) -> Response
  ) {
    note(call)
    let cancellation = CommandCancellation()
    responder.onCancel { cancellation.cancel() }
    var options = call.commandOptions(caller, cancellation)
    if !keepsKey { options.idempotency = nil }
    store.submit(
      command, options,
      target: targets.target(of: call.connection.reactor),
      encode: { reply in self.encode(message(reply)) },
      completion: { result in
        switch result {
        case .success(let bytes):
          ended(nil)
          responder.succeed(encoded: bytes)
        case .failure(let error):
          ended(error)
          responder.fail(self.refusal(error))
        }
      })
  }

  /// The status of a failure. To a caller whose position is of another epoch it states that of the
  /// store, which takes its place: then the same call is one of this epoch.
  private func refusal(_ error: StoreError) -> RPCError {
    var refusal = RPCError(error)
    if error.isOfOtherEpoch, let positions = DatabasePositions(of: store) {
      refusal.metadata.append(StorePosition.key, positions.stated.bytes)
    }
    return refusal
  }

  /// Notes that a device or an official who is bound to an event calls.
  func note(_ call: CallContext) {
    guard let caller = call.caller, caller.kind == .device || caller.isBoundOfficial else { return }
    guard store.noteCall(ofDevice: caller.principalID) else { return }
    store.submit(
      TouchDevice(), CommandOptions(caller: CommandCaller(principal: caller.principalID)),
      target: DirectTarget.shared, encode: { _ in [] }, completion: { _ in })
  }

  /// Submits the command that `make` answers, and ends the call with the object that it leaves.
  func submit<C: Command, Shown: ObjectMessage>(
    _ call: CallContext, _ responder: Responder<Shown>, _ make: () throws -> C
  ) throws where C.Reply == Shown.Record {
    let caller = try commandCaller(call)
    submit(
      try make(), by: caller, call, responder
    ) { Shown($0) }
  }

  /// The caller, for a command that is created next.
  ///
  /// Throws RESOURCE_EXHAUSTED if the caller fills its share of the queue, so that requests that
  /// would be refused anyway are not converted.
  func commandCaller(_ call: CallContext) throws -> CommandCaller {
    let caller = try call.storeCaller()
    if let refusal = store.queueRefusal(of: caller.principal) { throw RPCError(refusal) }
    return caller
  }

  /// Submits a command and waits for its encoded reply, as `message` shows it, without holding a
  /// thread.
  func perform<C: Command, Response: Message>(
    _ command: C, _ options: CommandOptions,
    message: @escaping @Sendable (C.Reply) -> Response
  ) async throws(StoreError) -> [UInt8] {
    let result = await withCheckedContinuation { continuation in
      store.submit(
        command, options, target: DirectTarget.shared,
        encode: { reply in self.encode(message(reply)) },
        completion: { continuation.resume(returning: $0) })
    }
    return try result.get()
  }

  private func encode<M: Message>(_ message: M) -> [UInt8] {
    coder.withLock { $0.encode(message) }
  }
}

/// A message that shows an object of the store.
protocol ObjectMessage: Message {
  associatedtype Record: Sendable

  /// The proto field that holds one in a request.
  static var fieldName: String { get }

  init(_ record: Record)
}

extension ObjectMessage {
  /// The one that a request must hold.
  static func given(_ message: Self?) throws -> Self {
    guard let message else { throw RPCError.invalid(fieldName, "must be given") }
    return message
  }
}
