import QuiverRPC
import QuiverStore
import QuiverWire

extension RPCError {
  /// What a refusal of the store means on the wire: the same code, the field's path in the message.
  init(_ error: StoreError, details: [Detail] = []) {
    self.init(
      StatusCode(wire: error.code.rawValue),
      error.field.map { "\($0): \(error.message)" } ?? error.message,
      details: details, isNotProcessed: error.notProcessed)
  }

  /// A field of the request that cannot be as it is.
  static func invalid(_ field: String, _ message: String) -> RPCError {
    RPCError(.invalidArgument, "\(field): \(message)")
  }
}

/// Runs `body`; what the store refuses becomes a status.
func answering<Result>(
  _ body: () throws(StoreError) -> Result
) throws(RPCError) -> Result {
  do throws(StoreError) {
    return try body()
  } catch {
    throw RPCError(error)
  }
}

extension Responder {
  /// Runs `body`, and ends the call with what it throws.
  func failing(_ body: () throws(RPCError) -> Void) {
    do throws(RPCError) {
      try body()
    } catch {
      fail(error)
    }
  }
}
