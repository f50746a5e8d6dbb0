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
    var found: [EventCategory] = []
    var rows: [Int64: [ResultList.Row]] = [:]
    for match in matches {
      guard let entry = match.standing.entry, let category = event.category(of: entry) else {
        throw .input("\(path): line \(match.row.line) is of an archer without a category")
      }
      found.append(category)
      rows[category.id, default: []].append(match.row)
    }
    var divisions: [Int64: IanseoDistances] = [:]
    var cards: [Card] = []
    for (match, category) in zip(matches, found) {
      let division: IanseoDistances
      if let known = divisions[category.id] {
        division = known
      } else {
        division = try IanseoResultFile.division(of: category, for: rows[category.id] ?? [])
        divisions[category.id] = division
      }
      do throws(RuleViolation) {
        cards.append(Card(match: match, arrows: try division.placed(match.row)))
      } catch {
        throw .input("\(path): \(error.field) \(error.message)")
      }
    }
    self.cards = cards
  }

  /// Throws unless an event is in progress: a finalised one would keep each arrow as late, those
  /// that are there too.
  static func check(_ tournament: Int64, _ access: Access) async throws(Failure) {
    let status = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Tournament.getTournament, .with { $0.id = tournament })
    }.status
    let state =
      switch status {
      case .inProgress: ""
      case .open: "has not been started"
      case .completed: "is finalised"
      case .cancelled: "was cancelled"
      default: "is not in progress"
      }
    guard state.isEmpty else {
      throw .input("the event \(state), and arrows are imported into an event in progress only")
    }
  }

  /// The arrows that are not on their card, with the lines that they are of. What is there already
  /// is not sent, for the server would keep an operation for it, which counts against its limits.
  private func operations(
    _ access: Access
  ) async throws(Failure) -> [(line: Int, ScoringOperation)] {
    var operations: [(line: Int, ScoringOperation)] = []
    for card in cards {
      let shot =
        !card.match.isScored
        ? []
        : try await access.attemptPlainly { () async throws(RPCError) in
          try await access.client.call(
            Rounds.getScorecard, .with { $0.participantID = card.match.participant })
        }.arrows.filter { !$0.retracted }
      for arrow in card.arrows {
        var operation = ScoringOperation()
        operation.kind = .record
        operation.participantID = card.match.participant
        operation.endIndex = UInt32(arrow.end)
        operation.arrowIndex = UInt32(arrow.arrow)
        operation.value = UInt32(arrow.score.value)
        operation.isX = arrow.score.isX
        let isThere = shot.contains { there in
          there.endIndex == operation.endIndex && there.arrowIndex == operation.arrowIndex
            && there.value == operation.value && there.isX == operation.isX
        }
        guard !isThere else { continue }
        operation.clientID = EventEndCommand.clientID()
        operations.append((card.match.row.line, operation))
      }
    }
    return operations
  }

  /// Records the arrows, or with `isDry` counts them only.
  func run(_ isDry: Bool, emptyCount: Int, _ access: Access) async throws(Failure) {
    let count = cards.reduce(0) { $0 + $1.arrows.count }
    let rest = "\(emptyCount) lines without a result"
    guard !isDry else {
      return try Terminal.print(
        "\(cards.count) cards with \(count) arrows; \(rest); nothing was stored")
    }
    let operations = try await operations(access)
    var added = 0
    var late = 0
    var refused: [String] = []
    for first in stride(from: 0, to: operations.count, by: Self.operationsPerCall) {
      let part = Array(operations.dropFirst(first).prefix(Self.operationsPerCall))
      let verdicts: [OperationVerdict]
      do throws(RPCError) {
        verdicts = try await access.client.call(
          Rounds.applyOperations, .with { $0.operations = part.map(\.1) }
        ).verdicts
      } catch {
        EventResultsCommand.list(refused)
        Terminal.printError("\(added) of \(operations.count) new arrows were stored")
        throw access.plainFailure(error)
      }
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
