/// The types of frame of protocol version 1, with their numbers on the wire.
public enum FrameType: UInt8, CaseIterable, Sendable {
  /// The limits and features of a side; its first frame.
  case hello = 1
  /// The head of a call with its first bytes.
  case request = 2
  /// The initial metadata of a reply.
  case headers = 3
  /// A part of a message.
  case data = 4
  /// The only message of a reply, which ends the call OK.
  case response = 5
  /// The status that ends a call.
  case status = 6
  /// Cancels a call.
  case cancel = 7
  /// Allows the peer to send more.
  case credit = 8
  /// Asks whether the peer is alive, or answers that.
  case ping = 9
  /// Announces the end of the connection.
  case goAway = 10
  /// Ends the connection once its calls have ended.
  case close = 11

  /// Whether a frame of this type may be sent by the client.
  public var isFromClient: Bool {
    switch self {
    case .headers, .response, .status: false
    default: true
    }
  }

  /// Whether a frame of this type may be sent by the server.
  public var isFromServer: Bool {
    switch self {
    case .request, .close: false
    default: true
    }
  }

  /// Whether the frame is charged to both allowances: its payload plus `Limits.frameCharge`.
  public var isCharged: Bool {
    switch self {
    case .request, .data, .response: true
    default: false
    }
  }
}
