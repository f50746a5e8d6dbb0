import QuiverWire

/// An error that has a status for the call that it ends.
///
/// A handler may throw it as it is; any other error ends the call UNKNOWN.
public protocol RPCErrorConvertible: Error {
  /// The status of the call.
  var rpcError: RPCError { get }
}

extension RPCError: RPCErrorConvertible {
  public var rpcError: RPCError { self }
}

extension RPCError {
  /// The status for what a handler has thrown.
  @usableFromInline
  package init(thrown error: any Error) {
    switch error {
    case let error as any RPCErrorConvertible: self = error.rpcError
    case is CancellationError: self.init(.cancelled, "the call was cancelled")
    default: self.init(.unknown, "the handler failed")
    }
  }
}
