/// The order of the seeds in an elimination bracket.
package enum BracketOrder {
  /// The numbers of places that a bracket can have: powers of two.
  package static let sizes = [2, 4, 8, 16, 32, 64, 128]

  /// The smallest bracket with a place for each of `count` entrants; nil above 128 and below 2.
  package static func size(for count: Int) -> Int? {
    count < 2 ? nil : sizes.first { $0 >= count }
  }

  /// The seeds from the first place to the last one; `size` is one of ``sizes``.
  ///
  /// Each seed x of a bracket is replaced by x and n + 1 - x, where n is the next size: 1, then 1
  /// 2, then 1 4 3 2, then 1 8 5 4 3 6 7 2. The lower seed of a pair stands on the outer side, so
  /// that 1 is the first and 2 the last, as in the match play charts of World Archery.
  package static func seeds(size: Int) -> [Int] {
    var order = [1]
    while order.count < size {
      let sum = order.count * 2 + 1
      order = order.enumerated().flatMap { place, seed in
        place.isMultiple(of: 2) ? [seed, sum - seed] : [sum - seed, seed]
      }
    }
    return order
  }
}
