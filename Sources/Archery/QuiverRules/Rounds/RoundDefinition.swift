/// What a round consists of: a list of passes. Ends are counted from 0 through all of them.
public struct RoundDefinition: Sendable, Hashable {
  /// As in `wa18`; empty for an own format.
  public var codename: String
  /// The name that lists show.
  public var name: String
  /// The place where the round is shot.
  public var location: RoundVenue

  /// As in `WA`.
  public var body: String

  /// Rounds that are alike but for their distances share one; empty if none.
  public var family: String
  /// The passes in order.
  public var passes: [PassDefinition]

  /// The numbers of passes that are allowed.
  public static let passRange = 1...32

  /// Arrows of all passes.
  public static let maximumArrowCount = 1_000

  /// Creates a value; each parameter is the property of its name.
  public init(
    codename: String = "", name: String, location: RoundVenue, body: String = "",
    family: String = "", passes: [PassDefinition]
  ) {
    self.codename = codename
    self.name = name
    self.location = location
    self.body = body
    self.family = family
    self.passes = passes
  }

  /// The number of arrows in all passes.
  public var arrowCount: Int { passes.reduce(0) { $0 + $1.arrowCount } }
  /// The number of ends in all passes.
  public var endCount: Int { passes.reduce(0) { $0 + $1.endCount } }

  /// The highest possible score.
  public var maximumScore: Int {
    passes.reduce(0) { $0 + $1.arrowCount * $1.face.specification.topValue }
  }

  /// Where an end is.
  public struct End: Sendable, Equatable {
    /// The index of the pass, from 0.
    public let passIndex: Int
    /// The pass.
    public let pass: PassDefinition

    /// How many slots it has.
    public let arrowCount: Int
  }

  /// The end of that index; nil if the format has none.
  public func end(_ index: Int) -> End? {
    guard index >= 0 else { return nil }
    var first = 0
    for (passIndex, pass) in passes.enumerated() {
      let count = pass.endCount
      if index < first + count {
        let before = (index - first) * pass.arrowsPerEnd
        return End(
          passIndex: passIndex, pass: pass,
          arrowCount: min(pass.arrowsPerEnd, pass.arrowCount - before))
      }
      first += count
    }
    return nil
  }

  /// The first `count` arrows of it; all of it where it has no more.
  public func cut(toArrows count: Int) -> RoundDefinition {
    var left = max(0, count)
    var format = self
    format.passes = []
    for pass in passes where left > 0 {
      var pass = pass
      pass.arrowCount = min(pass.arrowCount, left)
      left -= pass.arrowCount
      format.passes.append(pass)
    }
    return format
  }

  /// The slot of the arrow that is shot as the `index`-th, from 0; nil if there is none.
  public func slot(ofArrow index: Int) -> ArrowSlot? {
    var index = index
    var end = 0
    guard index >= 0 else { return nil }
    for pass in passes {
      if index < pass.arrowCount {
        return ArrowSlot(
          endIndex: end + index / pass.arrowsPerEnd, arrowIndex: index % pass.arrowsPerEnd)
      }
      index -= pass.arrowCount
      end += pass.endCount
    }
    return nil
  }

  /// The same in the form that is stored, or the first rule that it breaks.
  ///
  /// `prefix` is the path of the format in the request, as in `format`.
  public func validated(prefix: String) throws(RuleViolation) -> RoundDefinition {
    var format = self
    format.name = try TextLimits.checked(
      name, length: TextLimits.nameLength, path: prefix + ".name")
    guard !format.name.isEmpty else {
      throw RuleViolation(field: prefix + ".name", message: "must not be blank")
    }
    format.body = try TextLimits.checked(
      body, length: TextLimits.nameLength, path: prefix + ".body")
    guard Self.passRange.contains(passes.count) else {
      throw RuleViolation(
        field: prefix + ".passes",
        message: "must be from \(Self.passRange.lowerBound) to \(Self.passRange.upperBound)")
    }
    for (index, pass) in passes.enumerated() {
      format.passes[index] = try pass.validated(path: "\(prefix).passes[\(index)]")
    }
    guard arrowCount <= Self.maximumArrowCount else {
      throw RuleViolation(
        field: prefix + ".passes",
        message: "must have at most \(Self.maximumArrowCount) arrows together")
    }
    return format
  }
}

/// Where one arrow of a round goes.
public struct ArrowSlot: Sendable, Hashable, Comparable {
  /// From 0, through all passes.
  public let endIndex: Int

  /// From 0, within the end.
  public let arrowIndex: Int

  /// Creates a value; each parameter is the property of its name.
  public init(endIndex: Int, arrowIndex: Int) {
    self.endIndex = endIndex
    self.arrowIndex = arrowIndex
  }

  public static func < (left: ArrowSlot, right: ArrowSlot) -> Bool {
    (left.endIndex, left.arrowIndex) < (right.endIndex, right.arrowIndex)
  }

  /// The end that holds it, or the rule that it breaks; `path` is before the indices.
  public func end(in format: RoundDefinition, path: String) throws(RuleViolation)
    -> RoundDefinition.End
  {
    guard let end = format.end(endIndex) else {
      throw RuleViolation(
        field: path + "end_index", message: "must be below \(format.endCount), the ends there are")
    }
    guard (0..<end.arrowCount).contains(arrowIndex) else {
      throw RuleViolation(
        field: path + "arrow_index", message: "must be below \(end.arrowCount) in this end")
    }
    return end
  }
}
