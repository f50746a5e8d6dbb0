import QuiverRules
import TestSupport
import Testing

@Suite("Draws of targets", .timeLimit(.minutes(5)))
struct TargetDrawTests {
  private static func places(_ targets: Int, _ letters: Int) -> [TargetDraw.Place] {
    (1...targets).flatMap { target in
      (0..<letters).map { TargetDraw.Place(target: target, letter: $0) }
    }
  }

  @Test("everybody has a place of their own, and clubs are spread as far as they can be")
  func spread() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let targets = Int.random(in: 1...30, using: &random)
      let letters = Int.random(in: 1...4, using: &random)
      let count = Int.random(in: 0...targets * letters, using: &random)
      let archers = (0..<count).map { index in
        TargetDraw.Archer(
          id: Int64(index + 1), club: ["", "A", "B", "C", "D"].randomElement(using: &random)!)
      }
      let places = Self.places(targets, letters)
      let drawn = try TargetDraw.atRandom(archers, to: places, seed: UInt64(round))
      #expect(drawn.count == count && Set(drawn.values).count == count)
      #expect(Set(drawn.values).isSubset(of: places))
      for club in ["A", "B", "C", "D"] {
        let members = archers.filter { $0.club == club }
        let together = Dictionary(grouping: members) { drawn[$0.id]?.target }
        let most = together.values.map(\.count).max() ?? 0
        #expect(most <= (members.count + targets - 1) / targets, "seed \(seed), round \(round)")
      }
    }
  }

  @Test("a draw depends on its seed, and not on the order of the archers")
  func seeds() throws {
    let archers = (1...40).map { TargetDraw.Archer(id: $0, club: "\($0 % 7)") }
    let places = Self.places(10, 4)
    let one = try TargetDraw.atRandom(archers, to: places, seed: 7)
    #expect(try TargetDraw.atRandom(archers.reversed(), to: places.reversed(), seed: 7) == one)
    #expect(try TargetDraw.atRandom(archers, to: places, seed: 8) != one)
  }

  @Test("in the order of a ranking the first target is filled first")
  func ranking() throws {
    let archers = [5, 3, 9, 1, 2].map { TargetDraw.Archer(id: $0, club: "A") }
    let drawn = try TargetDraw.inOrder(archers, to: Self.places(2, 3))
    let order = drawn.sorted { $0.value < $1.value }.map(\.key)
    #expect(order == [5, 3, 9, 1, 2] && drawn[1] == TargetDraw.Place(target: 2, letter: 0))
  }

  @Test("wheelchairs get their targets first, and others only where nothing else is free")
  func wheelchairs() throws {
    var random = SeededGenerator(seed: TestSeed.value)
    for round in 0..<300 {
      let (targets, letters) = (
        Int.random(in: 1...12, using: &random), Int.random(in: 1...4, using: &random)
      )
      let places = Self.places(targets, letters)
      let count = Int.random(in: 0...places.count, using: &random)
      let archers = (0..<count).map { index in
        TargetDraw.Archer(
          id: Int64(index + 1), club: "\(index % 3)",
          usesWheelchair: Int.random(in: 0..<4, using: &random) == 0)
      }
      let chosen = Set((0..<3).map { _ in Int.random(in: 1...targets, using: &random) })
      let drawn = try TargetDraw.wheelchairsFirst(archers, to: places, on: chosen) {
        archers, places throws(RuleViolation) in
        try TargetDraw.atRandom(archers, to: places, seed: UInt64(round))
      }
      #expect(drawn.count == count && Set(drawn.values).count == count)
      let reserved = places.count { chosen.contains($0.target) }
      let chairs = archers.filter(\.usesWheelchair)
      let placed = chairs.count { drawn[$0.id].map { chosen.contains($0.target) } ?? false }
      #expect(placed >= min(chairs.count, reserved), "round \(round)")
      let others = archers.count - min(chairs.count, reserved)
      let needed = max(0, others - (places.count - reserved))
      let taken = drawn.values.count { chosen.contains($0.target) }
      #expect(taken == min(chairs.count, reserved) + needed, "round \(round)")
    }
    // Without such targets it is the draw of its seed.
    let archers = (1...8).map {
      TargetDraw.Archer(id: $0, club: "\($0 % 2)", usesWheelchair: $0 == 3)
    }
    let plain = try TargetDraw.atRandom(archers, to: Self.places(2, 4), seed: 7)
    let same = try TargetDraw.wheelchairsFirst(archers, to: Self.places(2, 4), on: []) {
      archers, places throws(RuleViolation) in
      try TargetDraw.atRandom(archers, to: places, seed: 7)
    }
    #expect(same == plain)
    #expect(throws: RuleViolation.self) {
      try TargetDraw.wheelchairsFirst(archers, to: Self.places(1, 4), on: [1]) {
        archers, places throws(RuleViolation) in
        try TargetDraw.inOrder(archers, to: places)
      }
    }
  }

  @Test("a draw with too few places is refused")
  func tooFew() {
    let archers = (1...9).map { TargetDraw.Archer(id: $0, club: "") }
    let places = Self.places(2, 4)
    #expect(throws: RuleViolation.self) {
      try TargetDraw.atRandom(archers, to: places, seed: 1)
    }
    #expect(throws: RuleViolation.self) { try TargetDraw.inOrder(archers, to: places) }
  }
}
