/// Why a connection ends: the code of a GOAWAY.
public enum ConnectionErrorCode: UInt32, CaseIterable, Sendable, Hashable {
  case noError = 0
  case protocolError = 1
  case frameSizeError = 2
  case flowControlError = 3
  case unsupportedVersion = 4
  case unauthenticated = 5
  case enhanceYourCalm = 6
  case timeout = 7
  case internalError = 8
  case tooManyConnections = 9

  /// The code as the specification spells it, for example `FLOW_CONTROL_ERROR`.
  public var name: String {
    switch self {
    case .noError: "NO_ERROR"
    case .protocolError: "PROTOCOL_ERROR"
    case .frameSizeError: "FRAME_SIZE_ERROR"
    case .flowControlError: "FLOW_CONTROL_ERROR"
    case .unsupportedVersion: "UNSUPPORTED_VERSION"
    case .unauthenticated: "UNAUTHENTICATED"
    case .enhanceYourCalm: "ENHANCE_YOUR_CALM"
    case .timeout: "TIMEOUT"
    case .internalError: "INTERNAL_ERROR"
    case .tooManyConnections: "TOO_MANY_CONNECTIONS"
    }
  }
}
