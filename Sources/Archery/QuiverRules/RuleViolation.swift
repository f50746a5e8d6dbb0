/// A value that a rule refuses, with the field that holds it.
public struct RuleViolation: Error, Sendable, Equatable, CustomStringConvertible {
  /// The path of the field in the request, as in `riser.brand`.
  public let field: String

  /// What the rule asks for, without the value that broke it.
  public let message: String

  /// Creates a value; each parameter is the property of its name.
  public init(field: String, message: String) {
    self.field = field
    self.message = message
  }

  public var description: String { "\(field): \(message)" }
}
