import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Synchronization

/// The matches of a scenario's bracket: which are taken by an actor, and the ends of their cards
/// that the server acknowledged. Any thread may use it.
final class MatchBook: Sendable {
  let stage: Int64
  /// The match for gold.
  let gold: Int64
  private let state = Mutex(State())

  private struct State {
    var taken: Set<Int64> = []
    var cards: [Int64: [Place: [UInt32]]] = [:]
    var unclear = 0
  }

  /// An end or a shoot-off of a side.
  struct Place: Sendable, Hashable {
    let side: UInt32
    let isShootOff: Bool
    let index: UInt32
  }

  init(_ bracket: EliminationBracket) {
    stage = bracket.stage?.id ?? 0
    gold = bracket.matches.first { $0.roundSize == 2 && $0.index == 0 }?.id ?? 0
  }

  /// A match of a bracket that can be shot and that no other actor has.
  func take(from bracket: EliminationBracket) -> EliminationMatch? {
    state.withLock { state in
      let open = bracket.matches.first { match in
        match.state == .scheduled && !state.taken.contains(match.id)
      }
      if let open { state.taken.insert(open.id) }
      return open
    }
  }

  func acknowledged(_ operations: [MatchOperation]) {
    state.withLock { state in
      for operation in operations {
        guard let entry = operation.entry else { continue }
        let place = Place(
          side: operation.side, isShootOff: entry.shootOff, index: entry.index)
        state.cards[operation.matchID, default: [:]][place] = entry.arrows.map(\.value)
      }
    }
  }

  /// Counts operations whose outcome is not known.
  func leftUnclear(_ count: Int) { state.withLock { $0.unclear += count } }

  /// Compares the server's cards with what it acknowledged.
  func finding(_ client: RPCClient) async throws(RPCError) -> Finding {
    var finding = Finding(subject: "ends of matches")
    let (cards, unclear) = state.withLock { ($0.cards, $0.unclear) }
    finding.unclear = unclear
    for (id, places) in cards.sorted(by: { $0.key < $1.key }) {
      let match = try await client.call(Elimination.getMatch, .with { $0.matchID = id })
      Self.check(match, places, &finding)
    }
    return finding
  }

  /// Compares one match. Where nothing is unclear, it has no other ends.
  static func check(
    _ match: EliminationMatch, _ places: [Place: [UInt32]], _ finding: inout Finding
  ) {
    var found: [Place: [UInt32]] = [:]
    for (index, side) in match.sides.enumerated() {
      for entry in side.entries {
        let place = Place(
          side: UInt32(index + 1), isShootOff: entry.shootOff, index: entry.index)
        if found[place] != nil { finding.doubled.add("an end of match \(match.id)") }
        found[place] = entry.arrows.map(\.value)
      }
      let total = places.filter { $0.key.side == UInt32(index + 1) && !$0.key.isShootOff }
        .values.joined().reduce(0, +)
      if finding.unclear == 0, side.total != total {
        finding.wrongTotals.add("side \(index + 1) of match \(match.id)")
      }
    }
    for (place, arrows) in places {
      finding.acknowledged += 1
      if found[place] != arrows {
        finding.lost.add("end \(place.index) of side \(place.side) of match \(match.id)")
      }
    }
    if finding.unclear == 0, found.count > places.count {
      finding.doubled.add("ends of match \(match.id), which nobody shot")
    }
  }
}
