/// A verdict in words.
struct VerdictText {
  let nameA: String
  let nameB: String
  let roundsA: Int
  let roundsB: Int
  /// What the difference is counted in, as in "points per arrow".
  let unit: String
  /// Whether p was corrected for further pairs.
  let isAdjusted: Bool
  /// How the conditions of the sides differ, in a sentence; nil if they are alike.
  let conditions: String?

  func words(
    _ verdict: SetupVerdict, _ difference: MeanDifference?, p: Double?, detectable: Double?
  ) -> String {
    switch verdict {
    case .tooLittleData: tooLittle(difference)
    case .noVariation:
      "Cannot be decided: no round of either setup differs from the others, so that nothing tells "
        + "what chance does."
    case .differentConditions: "Not comparable: \(conditions ?? "the conditions differ.")"
    case .noDifference: noDifference(difference, p: p, detectable: detectable)
    case .aBetter: better(nameA, difference, p: p)
    case .bBetter: better(nameB, difference, p: p)
    }
  }

  private func tooLittle(_ difference: MeanDifference?) -> String {
    let start =
      "Too little data: each side needs \(SetupVerdict.enoughRounds) rounds; \"\(nameA)\" has "
      + "\(roundsA), \"\(nameB)\" has \(roundsB)."
    guard let difference else { return start }
    let size = DecimalText.signed(difference.difference, digits: 2)
    return start + " The difference so far, \(size) \(unit), may be noise."
  }

  private func noDifference(
    _ difference: MeanDifference?, p: Double?, detectable: Double?
  ) -> String {
    guard let difference else { return "No difference shown." }
    let size = DecimalText.signed(difference.difference, digits: 2)
    var text = "No difference shown: \(size) \(unit) may be noise\(evidence(difference, p: p))."
    if let detectable {
      text +=
        " A true difference of \(DecimalText.fixed(detectable, digits: 2)) would show in 8 of 10 "
        + "such comparisons."
    }
    return text
  }

  private func better(_ name: String, _ difference: MeanDifference?, p: Double?) -> String {
    guard let difference else { return "\"\(name)\" is better." }
    let size = DecimalText.fixed(abs(difference.difference), digits: 2)
    return "\"\(name)\" is better by \(size) \(unit)\(evidence(difference, p: p))."
  }

  private func evidence(_ difference: MeanDifference, p: Double?) -> String {
    guard let interval = difference.interval, let p else { return "" }
    let lower = DecimalText.signed(interval.lower, digits: 2)
    let upper = DecimalText.signed(interval.upper, digits: 2)
    let scope = isAdjusted ? " of this pair alone" : ""
    let correction = isAdjusted ? " after Holm's correction over all pairs" : ""
    return " (B minus A, 95 % interval\(scope) \(lower) to \(upper); \(DecimalText.p(p))"
      + "\(correction))"
  }
}
