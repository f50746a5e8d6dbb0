/// Draws archers to places on targets.
package enum TargetDraw {
  /// A place: a target from 1, and the index of a letter from 0.
  package struct Place: Sendable, Hashable, Comparable {
    /// The number of the target.
    package let target: Int
    /// 0 is A.
    package let letter: Int

    /// Creates a value; each parameter is the property of its name.
    package init(target: Int, letter: Int) {
      self.target = target
      self.letter = letter
    }

    /// Its letter, A to D.
    package var letterText: String {
      let letters = ["A", "B", "C", "D"]
      return letters.indices.contains(letter) ? letters[letter] : ""
    }

    package static func < (left: Place, right: Place) -> Bool {
      (left.target, left.letter) < (right.target, right.letter)
    }
  }

  /// The largest number of archers on a target.
  package static let archersPerTarget = 4

  /// The entry that is drawn.
  package struct Archer: Sendable, Hashable {
    /// The number that identifies the archer.
    package let id: Int64
    /// The club; archers without one count as being of different clubs.
    package let club: String
    /// Whether it shoots from a wheelchair.
    package let usesWheelchair: Bool

    /// Creates a value; each parameter is the property of its name.
    package init(id: Int64, club: String, usesWheelchair: Bool = false) {
      self.id = id
      self.club = club
      self.usesWheelchair = usesWheelchair
    }
  }

  /// A draw in which archers in wheelchairs get places on some targets first.
  ///
  /// Those for whom these targets have no room, and all others, get places on the other targets,
  /// and what is left of these ones only where no other place is free. `draw` finds a place for
  /// each archer; it throws if there are fewer places than archers.
  package static func wheelchairsFirst(
    _ archers: [Archer], to places: [Place], on targets: Set<Int>,
    _ draw: ([Archer], [Place]) throws(RuleViolation) -> [Int64: Place]
  ) throws(RuleViolation) -> [Int64: Place] {
    let reserved = places.filter { targets.contains($0.target) }
    let first = Array(archers.filter(\.usesWheelchair).prefix(reserved.count))
    guard !reserved.isEmpty else { return try draw(archers, places) }
    try check(archers.count, places.count)
    var drawn = try draw(first, reserved)
    let others = archers.filter { drawn[$0.id] == nil }
    let taken = Set(drawn.values)
    let open = places.filter { !targets.contains($0.target) }
    let left = reserved.filter { !taken.contains($0) }.sorted()
    let more = left.suffix(max(0, others.count - open.count))
    drawn.merge(try draw(others, open + more)) { place, _ in place }
    return drawn
  }

  /// A place for each archer: at random, with the archers of a club spread over the targets.
  ///
  /// Where all targets have the same free places, each target gets at most the number of archers of
  /// a club divided by the number of targets, rounded up. The same seed and archers give the same
  /// draw, in whatever order they are. `places` are the free places. Throws if there are fewer of
  /// them than archers.
  package static func atRandom(
    _ archers: [Archer], to places: [Place], seed: UInt64
  ) throws(RuleViolation) -> [Int64: Place] {
    try check(archers.count, places.count)
    var generator = SplitMix64(seed: seed)
    let shuffled = shuffle(archers.sorted { $0.id < $1.id }, &generator)
    var clubs: [(members: [Archer], lot: Int)] = []
    var known: [String: Int] = [:]
    for archer in shuffled {
      if !archer.club.isEmpty, let index = known[archer.club] {
        clubs[index].members.append(archer)
        continue
      }
      if !archer.club.isEmpty { known[archer.club] = clubs.count }
      clubs.append(([archer], clubs.count))
    }
    // The largest first, and those of one size by lot: the members of a club take neighbours in the
    // list of places, which are on different targets.
    clubs.sort { ($1.members.count, $0.lot) < ($0.members.count, $1.lot) }
    let targets = shuffle(Array(Set(places.map(\.target))).sorted(), &generator)
    let order = Dictionary(uniqueKeysWithValues: targets.enumerated().map { ($1, $0) })
    let layers = places.sorted { left, right in
      (left.letter, order[left.target] ?? 0) < (right.letter, order[right.target] ?? 0)
    }
    var drawn: [Int64: Place] = [:]
    for (archer, place) in zip(clubs.flatMap(\.members), layers) { drawn[archer.id] = place }
    return drawn
  }

  /// A place for each archer in their order: the first target is filled first.
  package static func inOrder(
    _ archers: [Archer], to places: [Place]
  ) throws(RuleViolation) -> [Int64: Place] {
    try check(archers.count, places.count)
    var drawn: [Int64: Place] = [:]
    for (archer, place) in zip(archers, places.sorted()) { drawn[archer.id] = place }
    return drawn
  }

  private static func check(_ archers: Int, _ places: Int) throws(RuleViolation) {
    guard archers <= places else {
      throw RuleViolation(
        field: "last_target",
        message: "leaves \(places) free places for \(archers) archers; add targets")
    }
  }

  /// A permutation by Fisher and Yates, with numbers of this package: those of the standard library
  /// may differ between versions, and a draw is repeated by its seed.
  private static func shuffle<Element>(
    _ elements: [Element], _ generator: inout SplitMix64
  ) -> [Element] {
    var elements = elements
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, generator.index(below: last + 1))
    }
    return elements
  }
}
