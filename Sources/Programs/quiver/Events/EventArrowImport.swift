import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// The arrows of a file of ianseo, on the first cards of its archers.
struct EventArrowImport {
  /// A card with its arrows.
  private struct Card {
    let match: EventResultsCommand.Match
    let arrows: [IanseoDistances.PlacedArrow]
  }

  private static let operationsPerCall = 1_000

  private let cards: [Card]

  /// Throws for the first line whose arrows do not fit the round of its archer.
  init(
    _ matches: [EventResultsCommand.Match], _ event: EventResultRows, _ path: String
  ) throws(Failure) {
    var cards: [Card] = []
    for match in matches {
      let place = "\(path): line \(match.row.line)"
      guard let entry = match.standing.entry, let category = event.category(of: entry) else {
        throw .input("\(place) is of an archer without a category")
      }
      let division = try IanseoResultFile.division(of: category, match.row.distances.count)
      do throws(RuleViolation) {
        cards.append(Card(match: match, arrows: try division.placed(match.row)))
      } catch {
        throw .input("\(path): \(error.field) \(error.message)")
      }
    }
    self.cards = cards
  }

  /// Records the arrows, or with `isDry` counts them only.
  func run(_ isDry: Bool, emptyCount: Int, _ access: Access) async throws(Failure) {
    let count = cards.reduce(0) { $0 + $1.arrows.count }
    let rest = "\(emptyCount) lines without a result"
    guard !isDry else {
      return try Terminal.print(
        "\(cards.count) cards with \(count) arrows; \(rest); nothing was stored")
    }
    var operations: [(line: Int, ScoringOperation)] = []
    for card in cards {
      operations += card.arrows.map { arrow in
        var operation = ScoringOperation()
        operation.clientID = EventEndCommand.clientID()
        operation.kind = .record
        operation.participantID = card.match.participant
        operation.endIndex = UInt32(arrow.end)
        operation.arrowIndex = UInt32(arrow.arrow)
        operation.value = UInt32(arrow.score.value)
        operation.isX = arrow.score.isX
        return (card.match.row.line, operation)
      }
    }
    var added = 0
    var late = 0
    var refused: [String] = []
    for first in stride(from: 0, to: operations.count, by: Self.operationsPerCall) {
      let part = Array(operations.dropFirst(first).prefix(Self.operationsPerCall))
      let verdicts = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(
          Rounds.applyOperations, .with { $0.operations = part.map(\.1) })
      }.verdicts
      for ((line, operation), verdict) in zip(part, verdicts) {
        switch verdict.verdict {
        case .stored: added += 1
        case .late: late += 1
        case .same: break
        default:
          refused.append(
            "line \(line): end \(operation.endIndex + 1), arrow \(operation.arrowIndex + 1):"
              + " \(verdict.message)")
        }
      }
    }
    guard refused.isEmpty else {
      throw EventResultsCommand.failure(refused, "of \(count) arrows")
    }
    try Terminal.confirm(
      "\(cards.count) cards with \(count) arrows: \(added) new, \(late) late,"
        + " \(count - added - late) as before; \(rest)")
  }
}
