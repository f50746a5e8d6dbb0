/// The score of one arrow.
public struct ArrowScore: Sendable, Hashable, CustomStringConvertible {
  /// 0 is a miss.
  public let value: Int

  /// Counts as X and as its value.
  public let isX: Bool

  /// The highest value of any face.
  public static let maximumValue = 11

  /// Creates a value; each parameter is the property of its name.
  public init(value: Int, isX: Bool = false) {
    self.value = value
    self.isX = isX
  }

  /// An arrow as score sheets have it: `X`, `11` to `1`, or `M` for a miss; nil for anything else.
  public init?(sheet text: some StringProtocol) {
    switch text {
    case "X", "x": self.init(value: 10, isX: true)
    case "M", "m", "0": self.init(value: 0)
    default:
      guard text.utf8.count <= 2, text.utf8.allSatisfy({ (48...57).contains($0) }),
        let value = Int(text), (1...Self.maximumValue).contains(value)
      else { return nil }
      self.init(value: value)
    }
  }

  /// As score sheets have it.
  public var description: String { isX ? "X" : value == 0 ? "M" : "\(value)" }

  /// The same, or the rule that it breaks on that face; `path` is before `value` and `is_x`.
  public func validated(on face: TargetFace, path: String) throws(RuleViolation) -> ArrowScore {
    let specification = face.specification
    guard specification.has(value: value) else {
      let values = specification.values.map { "\($0)" }.joined(separator: ", ")
      throw RuleViolation(
        field: path + "value", message: "must be one of \(values) or 0 on this face")
    }
    guard !isX || specification.hasX(value: value) else {
      throw RuleViolation(
        field: path + "is_x",
        message: specification.xRing == nil
          ? "cannot be, for this face has no X ring"
          : "goes with \(specification.topValue) alone")
    }
    return self
  }
}
