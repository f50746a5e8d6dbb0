public import QuiverProtobuf

/// Asks to hold what is stored against itself.
public struct VerifyRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.VerifyRequest")
}

/// What was found; nothing where all is well.
public struct VerifyResponse: Message {
  /// At most 20 of each subject.
  public var findings: [Finding] = []
  /// What was looked at, in order.
  public var subjects: [String] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.VerifyResponse", .messages(1, "findings", \.findings),
    .strings(2, "subjects", \.subjects))
}

/// Something that is other than it must be.
public struct Finding: Message {
  /// `pages`, `audit`, `journal`, `idempotency-keys` or `counts`.
  public var subject = ""
  public var message = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Finding", .string(1, "subject", \.subject), .string(2, "message", \.message))
}
