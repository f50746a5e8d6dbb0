/// How the conditions of two setups differ, in words.
enum ConditionsText {
  /// How many distances of one side are named; the others are counted.
  private static let named = 3

  /// For example: "Old" was shot at 70 m (122 cm); "New" was shot at 18 m (40 cm). They have no
  /// distance and face in common.
  static func sentence(
    _ a: ComparedSide, _ b: ComparedSide, _ mixes: (a: StratumMix, b: StratumMix)
  ) -> String {
    let aspects = mixes.a.differing(from: mixes.b)
    let start =
      "\"\(a.name)\" was shot at \(list(mixes.a)), \"\(b.name)\" at \(list(mixes.b)); "
      + reason(aspects, mixes)
    guard mixes.a.common(with: mixes.b).isEmpty else { return start }
    return start
      + (hasConditions(mixes)
        ? " They have no distance, face and conditions in common."
        : " They have no distance and face in common.")
  }

  private static func reason(
    _ aspects: [StratumFeature], _ mixes: (a: StratumMix, b: StratumMix)
  ) -> String {
    guard hasConditions(mixes), aspects != [.distance], aspects != [.face],
      aspects != [.distance, .face]
    else { return "points at different distances or faces do not compare." }
    guard let last = aspects.last else {
      return "points do not compare, because their conditions come in other combinations."
    }
    let words = aspects.dropLast().map(\.differingWords).joined(separator: ", ")
    let list = words.isEmpty ? last.differingWords : "\(words) and \(last.differingWords)"
    // "The weather differs", and "the distances differ".
    let isOne = aspects.count == 1 && ![.distance, .face, .place].contains(last)
    return "points do not compare, because \(list) \(isOne ? "differs" : "differ")."
  }

  private static func hasConditions(_ mixes: (a: StratumMix, b: StratumMix)) -> Bool {
    [mixes.a, mixes.b].contains { mix in
      mix.shares.keys.contains { $0.conditions != .unknown }
    }
  }

  /// The strata with the largest shares first.
  private static func list(_ mix: StratumMix) -> String {
    let strata = mix.shares.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var texts = strata.prefix(named).map { stratum, share in
      let text = text(stratum)
      return strata.count == 1 ? text : "\(text) \(DecimalText.fixed(100 * share, digits: 0)) %"
    }
    if strata.count > named { texts.append("\(strata.count - named) more") }
    return texts.joined(separator: ", ")
  }

  private static func text(_ stratum: Stratum) -> String {
    let unit = stratum.unit == .yard ? "yd" : "m"
    let distance = DecimalText.fixed(
      stratum.distance, digits: stratum.distance == stratum.distance.rounded() ? 0 : 1)
    let diameter = DecimalText.fixed(stratum.diameterCM, digits: 0)
    let face =
      TargetFace(rawValue: stratum.face).map { ", \($0.code.replacing("_", with: " "))" } ?? ""
    let conditions = stratum.conditions.words
    let size = "\(diameter) cm\(face)"
    return "\(distance) \(unit) (\(conditions.isEmpty ? size : "\(size); \(conditions)"))"
  }
}
