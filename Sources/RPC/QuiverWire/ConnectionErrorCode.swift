/// Why a connection ends: the code of a GOAWAY, or a number that a newer peer sent.
///
/// Codes may be added: a `switch` needs a `default`.
public struct ConnectionErrorCode: RawRepresentable, Sendable, Hashable {
  /// The number on the wire.
  public let rawValue: UInt32

  /// The code with a number, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The connection ends in good order.
  public static let noError = Self(rawValue: 0)
  /// The peer violated the protocol in a way that has no code of its own.
  public static let protocolError = Self(rawValue: 1)
  /// A frame has a length that its type or a limit does not allow.
  public static let frameSizeError = Self(rawValue: 2)
  /// The peer sent more than it had credit for.
  public static let flowControlError = Self(rawValue: 3)
  /// The peer speaks no version that this side speaks.
  public static let unsupportedVersion = Self(rawValue: 4)
  /// The token of the connection is not valid.
  public static let unauthenticated = Self(rawValue: 5)
  /// The peer causes more work than the limits of abuse allow.
  public static let enhanceYourCalm = Self(rawValue: 6)
  /// The peer did not answer in time.
  public static let timeout = Self(rawValue: 7)
  /// An invariant of the sender does not hold.
  public static let internalError = Self(rawValue: 8)
  /// The server has no room for the connection.
  public static let tooManyConnections = Self(rawValue: 9)

  /// The codes that this version has names for, by number.
  public static let known = (0...tooManyConnections.rawValue).map {
    ConnectionErrorCode(rawValue: $0)
  }

  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR",
    "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "ENHANCE_YOUR_CALM", "TIMEOUT",
    "INTERNAL_ERROR", "TOO_MANY_CONNECTIONS",
  ]

  /// Whether this version has a name for the code.
  public var isKnown: Bool { rawValue <= Self.tooManyConnections.rawValue }

  /// The code as the specification spells it, for example `FLOW_CONTROL_ERROR`; `CODE_99` where it
  /// is not known.
  public var name: String { isKnown ? Self.names[Int(clamping: rawValue)] : "CODE_\(rawValue)" }
}

extension ConnectionErrorCode: CustomStringConvertible {
  /// The ``name``.
  public var description: String { name }
}
