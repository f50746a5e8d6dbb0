import QuiverWire

/// The flow control of one stream or of a whole connection: four counters of charged bytes.
///
/// A frame is charged its payload and ``Limits/frameCharge``. Allowances are absolute and never
/// fall.
struct FlowWindow: Sendable, Equatable {
  /// Charged bytes that the peer has sent.
  var received: UInt64 = 0
  /// The allowance last stated to the peer.
  var receiveAllowance: UInt64
  /// Charged bytes that this side has sent.
  var sent: UInt64 = 0
  /// The allowance that the peer stated last.
  var sendAllowance: UInt64

  init(receiveAllowance: UInt64, sendAllowance: UInt64) {
    self.receiveAllowance = receiveAllowance
    self.sendAllowance = sendAllowance
  }

  @inline(__always)
  static func charge(of payloadByteCount: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: payloadByteCount &+ Limits.frameCharge)
  }

  /// Charges a received frame and returns whether the peer was allowed to send it.
  @inline(__always)
  mutating func receive(_ payloadByteCount: Int) -> Bool {
    received &+= Self.charge(of: payloadByteCount)
    return received <= receiveAllowance
  }

  /// Charges a frame that is sent.
  @inline(__always)
  mutating func send(_ payloadByteCount: Int) { sent &+= Self.charge(of: payloadByteCount) }

  /// Whether a frame with this payload may be sent now.
  @inline(__always)
  func maySend(_ payloadByteCount: Int) -> Bool {
    sent &+ Self.charge(of: payloadByteCount) <= sendAllowance
  }

  /// The largest payload that may be sent now; negative: not even an empty one.
  var sendRoom: Int { Int(clamping: sendAllowance &- sent) - Limits.frameCharge }

  /// Raises the allowance to send and returns whether that changed it.
  mutating func raiseSendAllowance(to allowance: UInt64) -> Bool {
    guard allowance > sendAllowance else { return false }
    sendAllowance = allowance
    return true
  }
}
