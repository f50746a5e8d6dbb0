import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverStore

extension CommandCalls {
  /// The parts of the reply of a call that is applied as several commands.
  enum SlicedReply: Sendable {
    /// The replies of all commands: a message that has only repeated fields.
    case joined
    /// That of the last command.
    case last
  }

  /// Submits the commands of one call one after the other, so that those of other callers are
  /// applied between them.
  ///
  /// If one of them fails, those before it have had their effect. With an idempotency key each
  /// command has a key of its own, so that a call that ended early can be sent again.
  func submit<C: Command, Response: Message>(
    _ slices: [C], _ reply: SlicedReply, by caller: CommandCaller, _ call: CallContext,
    _ responder: Responder<Response>, message: @escaping @Sendable (C.Reply) -> Response
  ) {
    precondition(!slices.isEmpty, "A call has a command.")
    guard slices.count > 1 else {
      return submit(slices[0], by: caller, call, responder, message: message)
    }
    let cancellation = CommandCancellation()
    responder.onCancel { cancellation.cancel() }
    Task {
      var options = call.commandOptions(caller, cancellation)
      let key = options.idempotency
      var bytes: [UInt8] = []
      do throws(StoreError) {
        for (index, slice) in slices.enumerated() {
          options.idempotency = key?.ofSlice(index)
          let isFirst = index == 0
          do throws(StoreError) {
            let part = try await perform(slice, options, message: message)
            bytes = reply == .joined ? bytes + part : part
          } catch {
            throw isFirst ? error : error.afterEffects
          }
        }
        responder.succeed(encoded: bytes)
      } catch {
        responder.fail(RPCError(error))
      }
    }
  }
}

extension CommandKey {
  /// The key of a part of the call that has this key.
  fileprivate func ofSlice(_ index: Int) -> CommandKey {
    let number = withUnsafeBytes(of: UInt32(clamping: index).bigEndian) { Array($0) }
    return ofPart(Array(SHA256.hash(key + number).prefix(key.count)))
  }
}
