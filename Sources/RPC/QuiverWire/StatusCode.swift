/// How a call ended: gRPC's codes 0 to 16 with gRPC's meanings, or a number that a newer peer sent.
///
/// Codes may be added: a `switch` needs a `default`. Handle a code that is not ``isKnown`` as
/// ``unknown``.
public struct StatusCode: RawRepresentable, Sendable, Hashable {
  /// The number on the wire.
  public let rawValue: UInt32

  /// The code with a number, known or not.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The call succeeded.
  @inlinable public static var ok: Self { Self(rawValue: 0) }
  /// The caller cancelled the call.
  @inlinable public static var cancelled: Self { Self(rawValue: 1) }
  /// The handler failed in a way that has no status of its own.
  @inlinable public static var unknown: Self { Self(rawValue: 2) }
  /// The request is not valid, whatever the state of the server.
  @inlinable public static var invalidArgument: Self { Self(rawValue: 3) }
  /// The deadline passed before the call ended.
  @inlinable public static var deadlineExceeded: Self { Self(rawValue: 4) }
  /// What the request names does not exist.
  @inlinable public static var notFound: Self { Self(rawValue: 5) }
  /// What the request creates exists already.
  @inlinable public static var alreadyExists: Self { Self(rawValue: 6) }
  /// The caller is known and may not do this.
  @inlinable public static var permissionDenied: Self { Self(rawValue: 7) }
  /// A limit or a quota is reached.
  @inlinable public static var resourceExhausted: Self { Self(rawValue: 8) }
  /// The present state does not allow the call.
  @inlinable public static var failedPrecondition: Self { Self(rawValue: 9) }
  /// The call conflicts with another one, as when a revision has changed.
  @inlinable public static var aborted: Self { Self(rawValue: 10) }
  /// The request is past the end of a range, as of a list that shrank.
  @inlinable public static var outOfRange: Self { Self(rawValue: 11) }
  /// The server does not have the method, or does not take it in this form.
  @inlinable public static var unimplemented: Self { Self(rawValue: 12) }
  /// An invariant of the server or of the protocol does not hold.
  @inlinable public static var `internal`: Self { Self(rawValue: 13) }
  /// The server cannot be reached or does not take calls now.
  @inlinable public static var unavailable: Self { Self(rawValue: 14) }
  /// Data is lost or damaged.
  @inlinable public static var dataLoss: Self { Self(rawValue: 15) }
  /// The call needs a caller, and there is none.
  @inlinable public static var unauthenticated: Self { Self(rawValue: 16) }

  /// The codes that this version has names for, by number.
  public static let known = (0...unauthenticated.rawValue).map(Self.init(rawValue:))

  private static let names = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
    "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
    "UNAUTHENTICATED",
  ]

  /// Whether this version has a name for the code.
  public var isKnown: Bool { rawValue <= Self.unauthenticated.rawValue }

  /// The code as gRPC spells it, for example `NOT_FOUND`; `CODE_99` where it is not known.
  public var name: String { isKnown ? Self.names[Int(clamping: rawValue)] : "CODE_\(rawValue)" }
}

extension StatusCode: CustomStringConvertible {
  /// The ``name``.
  public var description: String { name }
}
