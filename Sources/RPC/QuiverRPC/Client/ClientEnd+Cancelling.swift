extension ClientEnd {
  /// Ends every call of the connection with `error`, and tells the server of those that it has.
  ///
  /// May be called from anywhere.
  package func cancelCalls(_ error: RPCError) {
    withMachine { $0.cancelCalls(error) }
  }
}

extension ClientConnection {
  /// Cancels every call, those included that wait to be written.
  mutating func cancelCalls(_ error: RPCError) {
    let unwritten = Array(waiting[waitingHead...])
    for call in unwritten { cancel(call, error) }
    for slot in 0..<core.streams.slotEnd where core.streams.isOccupied(slot) {
      guard let call = core.streams[slot].owner as? ClientCall else { continue }
      cancel(call, error)
    }
  }
}

extension ClientEndObserver {
  package func closed(_ end: ClientEnd) {}
}
