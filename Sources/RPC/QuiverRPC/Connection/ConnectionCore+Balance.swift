extension ConnectionCore {
  /// The charges of a connection as a whole, for tests that compare both ends.
  package struct Balance: Sendable, Equatable {
    package let sent: UInt64
    package let maySend: UInt64
    package let received: UInt64
    /// The allowance last stated to the peer.
    package let stated: UInt64
  }

  package var balance: Balance {
    Balance(
      sent: window.sent, maySend: window.sendAllowance, received: window.received,
      stated: window.receiveAllowance)
  }

  /// Bytes of messages that wait in streams, to be framed or to be whole.
  package var heldBytes: Int { queuedMessageBytes + reassemblyBytes }

  /// Open streams, and what they hold: nothing once a connection is over.
  package var unreleasedCount: Int { streams.count + heldBytes }

  /// Sends a PING before one is due.
  package mutating func sendPingNow() { sendPing() }

  /// Where the connection and its streams stand, in words.
  package var summary: String {
    var lines = ["\(phase) \(balance), held \(heldBytes), drain \(drain)"]
    for slot in 0..<streams.slotEnd where streams.isOccupied(slot) {
      let stream = streams[slot]
      lines.append(
        "  stream \(stream.id): \(stream.phase), flags \(stream.flags.rawValue),"
          + " sent \(stream.window.sent) of"
          + " \(stream.window.sendAllowance), received \(stream.window.received) of"
          + " \(stream.window.receiveAllowance), taken \(stream.takenAllowance), in reassembly"
          + " \(stream.reassemblyCharge), waiting \(stream.waitingMessages)")
    }
    return lines.joined(separator: "\n")
  }
}
