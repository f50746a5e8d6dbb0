/// What counts of an end by the rules of shooting.
///
/// World Archery, book 3: of more arrows than the end has only the lowest count (chapter 14), and
/// for a shot before or after the signals, or out of order, the highest arrow of the end is a miss
/// (chapter 15). Archery GB has the first of these rules in the same words.
package enum EndRules {
  /// The lowest arrows, from the highest to the lowest. An X is above a 10.
  package static func lowest(_ count: Int, of arrows: [ArrowScore]) -> [ArrowScore] {
    Array(sorted(arrows).suffix(max(0, count)))
  }

  /// The arrows in their order with misses in place of the highest ones. Where arrows are equal the
  /// first of them is one.
  package static func withoutHighest(_ count: Int, in arrows: [ArrowScore]) -> [ArrowScore] {
    var arrows = arrows
    let order = arrows.indices.sorted { left, right in
      let (first, second) = (key(arrows[left]), key(arrows[right]))
      return first == second ? left < right : first > second
    }
    for index in order.prefix(max(0, count)) { arrows[index] = ArrowScore(value: 0) }
    return arrows
  }

  private static func sorted(_ arrows: [ArrowScore]) -> [ArrowScore] {
    arrows.sorted { key($0) > key($1) }
  }

  private static func key(_ arrow: ArrowScore) -> (Int, Int) { (arrow.value, arrow.isX ? 1 : 0) }
}
