import QuiverStore

extension CurrentObject {
  /// The arrow, if this is one.
  var arrow: ScoredArrowRecord? {
    if case .arrow(let record) = self { record } else { nil }
  }

  /// The number of bow setups, if this lists some.
  var holdingSetupCount: Int? {
    if case .holdingSetups(let setups) = self { setups.count } else { nil }
  }
}
