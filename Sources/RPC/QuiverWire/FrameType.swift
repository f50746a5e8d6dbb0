/// The types of frame of protocol version 1, with their numbers on the wire.
public enum FrameType: UInt8, CaseIterable, Sendable {
  case hello = 1
  case request = 2
  case headers = 3
  case data = 4
  case response = 5
  case status = 6
  case cancel = 7
  case credit = 8
  case ping = 9
  case goAway = 10
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

  /// Whether the frame is charged to both allowances: its payload plus ``Limits/frameCharge``.
  public var isCharged: Bool {
    switch self {
    case .request, .data, .response: true
    default: false
    }
  }
}
