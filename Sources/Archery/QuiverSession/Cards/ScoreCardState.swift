public import QuiverAPI
public import QuiverRules

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Both cards of an archer with their comparison and confirmations, as this device has them.
public struct ScoreCardState: Sendable, Equatable, Identifiable {
  /// The id that the server assigned to the participant.
  public let id: Int64
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The name to show.
  public let name: String
  /// The ends in which a card has arrows, in order.
  public let ends: [ScoreCardEnd]
  /// The rounds of the card, at least one if this version knows the round.
  public let rounds: [ScoreCardRound]
  /// The total that counts, as the server last said.
  public let total: Int
  /// Whether the card is provisional, agreed or confirmed, as the server last said.
  public let status: CardStatus
  /// Who confirmed, at the server or on this device.
  public let confirmations: [ScoreCardConfirmation]
  /// The distances of the card, if this version knows the round.
  public let distances: [ScoreCardDistance]
  /// The total of a card on paper, which an official typed; nil: none.
  public let paperTotal: Int?
  /// Whether the total on paper, or a count of it, is another one than that of the card, or, while
  /// arrows are missing, a lower one; as the server last said.
  public let paperDiffers: Bool
  /// The points by which the total on paper is lower, once it counts.
  public let deducted: Int
  /// The rule of the event for cards that differ in total.
  public let rule: String

  /// The ends on which the cards differ, and on which nobody has ruled.
  public var disputes: [ScoreCardEnd] { ends.filter { $0.comparison == .disputed } }

  /// Whether archer and scorer have confirmed, and the server has both.
  public var isConfirmed: Bool {
    Set(confirmations.filter { !$0.isWaiting }.map(\.role)) == [.archer, .scorer]
  }

  init(_ card: LocalCard) {
    let view = CardView(card)
    let message = view.message
    (id, event, name) = (message.participantID, message.tournamentID, message.displayName)
    let byIndex = Dictionary(
      message.ends.map { (Int($0.endIndex), $0) }, uniquingKeysWith: { $1 })
    let ends = Set(view.firstEnds.keys).union(view.ends.keys).sorted().map { index in
      let isRuled = view.state(of: index) == .ruled
      return ScoreCardEnd(
        index: index, first: view.firstEnds[index] ?? [], second: view.ends[index] ?? [],
        comparison: view.state(of: index).flatMap(CardEndComparison.init),
        ruledBy: isRuled ? byIndex[index]?.ruledBy ?? "" : "",
        reason: isRuled ? byIndex[index]?.reason ?? "" : "")
    }
    self.ends = ends
    rounds = card.rounds.map { ScoreCardRound($0, ends) }
    total = Int(message.total)
    let known = message.summary?.status ?? .unspecified
    status = known == .unspecified ? .provisional : known
    confirmations = [CardRole.archer, .scorer].compactMap { role in
      view.confirmation(by: role).map(ScoreCardConfirmation.init)
    }
    distances = (0..<(view.format?.passes.count ?? 0)).map { index in
      ScoreCardDistance(index + 1, view)
    }
    paperTotal = message.summary?.paperTotal.map(Int.init)
    paperDiffers = message.paperDiffers
    deducted = Int(message.summary?.deducted ?? 0)
    rule = message.rule
  }
}

/// An end of both cards of an archer.
public struct ScoreCardEnd: Sendable, Equatable {
  /// From 0, through all rounds.
  public let index: Int
  /// The arrows of the first card; empty: none.
  public let first: [ArrowScore]
  /// The arrows of the second card; empty: none.
  public let second: [ArrowScore]
  /// How they compare, as the server last said; nil: it did not.
  public let comparison: CardEndComparison?
  /// The name of the judge; empty: nobody has ruled, or the rule set.
  public let ruledBy: String
  /// The reason of the ruling.
  public let reason: String
}

/// A distance of both cards of an archer, which is confirmed by itself where an event wants that.
public struct ScoreCardDistance: Sendable, Equatable, Identifiable {
  /// The number of the distance, from 1.
  public let id: Int
  /// Who confirmed it by itself, at the server or on this device.
  public let confirmations: [ScoreCardConfirmation]
  /// The total of the distance on paper, which an official typed; nil: none.
  public let paperTotal: Int?
  /// Whether a sum on paper is another one than that of the distance, or, while arrows are missing,
  /// a lower one; as the server last said.
  public let paperDiffers: Bool
  /// The points by which the total on paper is lower, once it counts.
  public let deducted: Int

  init(_ number: Int, _ view: CardView) {
    id = number
    confirmations = [CardRole.archer, .scorer].compactMap { role in
      view.confirmation(by: role, part: number).map(ScoreCardConfirmation.init)
    }
    let part = view.message.parts.first { Int($0.part) == number }
    paperTotal = part?.paperTotal.map(Int.init)
    paperDiffers = part?.paperDiffers ?? false
    deducted = Int(part?.deducted ?? 0)
  }
}

/// A round of both cards of an archer.
public struct ScoreCardRound: Sendable, Equatable, Identifiable {
  /// The number of the round, from 1.
  public let id: Int
  /// The index of its first end, from 0.
  public let firstEnd: Int
  /// The number of its ends.
  public let endCount: Int
  /// The sum of the arrows of the first card.
  public let firstTotal: Int
  /// The sum of the arrows of the second card.
  public let secondTotal: Int
  /// The number of ends on which both cards agree, or which were ruled.
  public let agreedEndCount: Int
  /// The number of ends in dispute.
  public let disputedEndCount: Int

  init(_ round: QualificationRound, _ ends: [ScoreCardEnd]) {
    let range = Int(round.firstEnd)..<Int(round.firstEnd) + Int(round.endCount)
    let own = ends.filter { range.contains($0.index) }
    id = Int(max(1, round.number))
    (firstEnd, endCount) = (range.lowerBound, range.count)
    firstTotal = own.reduce(0) { sum, end in end.first.reduce(sum) { $0 + $1.value } }
    secondTotal = own.reduce(0) { sum, end in end.second.reduce(sum) { $0 + $1.value } }
    agreedEndCount = own.count { $0.comparison == .agreed || $0.comparison == .ruled }
    disputedEndCount = own.count { $0.comparison == .disputed }
  }
}

/// Who confirmed a card.
public struct ScoreCardConfirmation: Sendable, Equatable {
  /// The role.
  public let role: CardRole
  /// The name of who confirmed; empty while the server does not have it.
  public let name: String
  /// When; nil while the server does not have it.
  public let date: Date?
  /// Whether it has a signature.
  public let isSigned: Bool
  /// Whether the server does not have it yet.
  public var isWaiting: Bool { date == nil }

  init(_ message: CardConfirmation) {
    (role, name, isSigned) = (message.role, message.displayName, message.signed)
    date =
      message.confirmedAtMilliseconds == 0
      ? nil : WallClock.date(message.confirmedAtMilliseconds)
  }
}
