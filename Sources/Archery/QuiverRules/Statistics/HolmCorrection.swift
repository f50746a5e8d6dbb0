/// Holm's correction of several tests made at once.
public enum HolmCorrection {
  /// The p of each test, adjusted so that any below 5 % errs in at most 5 % of families; nil stays.
  ///
  /// Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
  /// Statistics 6 (1979), 65–70.
  public static func adjusted(_ p: [Double?]) -> [Double?] {
    let order = p.indices.filter { p[$0] != nil }.sorted { (p[$0] ?? 1) < (p[$1] ?? 1) }
    var adjusted = p
    var floor = 0.0
    for (rank, index) in order.enumerated() {
      floor = max(floor, min(1, Double(order.count - rank) * (p[index] ?? 1)))
      adjusted[index] = floor
    }
    return adjusted
  }
}
