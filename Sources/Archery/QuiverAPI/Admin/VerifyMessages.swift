public import QuiverProtobuf

/// Requests a check of the stored data.
public struct VerifyRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.VerifyRequest")
}

/// The differences that were found.
public struct VerifyResponse: Message {
  /// The differences, at most 20 of each check; empty: none was found.
  public var findings: [Finding] = []
  /// The subjects that were checked, in order.
  public var subjects: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.VerifyResponse", .messages(1, "findings", \.findings),
    .strings(2, "subjects", \.subjects))
}

/// A difference between stored data and what it must be.
public struct Finding: Message {
  /// Pages, audit, journal, idempotency-keys, counts, rollups, logbook.
  public var subject = ""
  /// A description in English, with the ids of the rows concerned.
  public var message = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Finding", .string(1, "subject", \.subject), .string(2, "message", \.message))
}
