import QuiverAPI
public import QuiverRules

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The second card of an archer, as this device has it.
public struct SecondCardState: Sendable, Equatable, Identifiable {
  /// The id that the server assigned to the participant.
  public let id: Int64
  /// The name to show.
  public let name: String
  /// The letter of the place on the target, A to D.
  public let letter: String
  /// The bib; empty: none.
  public let bib: String
  /// The number of ends of the round; 0: this version does not know the round.
  public let endCount: Int
  /// The ends that have arrows, in order.
  public let ends: [SecondCardEnd]
  /// Whether archer and scorer have confirmed, so that only a judge changes the card.
  public let isConfirmed: Bool

  /// Who confirmed, at the server or on this device.
  public let confirmations: [ScoreCardConfirmation]

  /// The sum of the arrows.
  public var total: Int {
    ends.reduce(0) { sum, end in end.arrows.reduce(sum) { $0 + $1.value } }
  }

  /// The first end without arrows; nil: all ends have them.
  public var nextEnd: Int? {
    let filled = Set(ends.map(\.index))
    return (0..<endCount).first { !filled.contains($0) }
  }

  init(_ entry: EventEntry, _ card: LocalCard) {
    let view = CardView(card)
    (id, name, letter, bib) = (entry.participantID, entry.displayName, entry.letter, entry.bib)
    endCount = view.format?.endCount ?? 0
    isConfirmed = view.isConfirmed
    confirmations = [CardRole.archer, .scorer].compactMap { role in
      view.confirmation(by: role).map(ScoreCardConfirmation.init)
    }
    ends = view.ends.keys.sorted().map { index in
      SecondCardEnd(
        index: index, arrows: view.ends[index] ?? [], isWaiting: view.waiting.contains(index),
        comparison: view.state(of: index).flatMap(CardEndComparison.init))
    }
  }
}

/// An end of a second card.
public struct SecondCardEnd: Sendable, Equatable {
  /// From 0, through all passes.
  public let index: Int
  /// All arrows of the end.
  public let arrows: [ArrowScore]
  /// Whether the server does not have it yet.
  public let isWaiting: Bool
  /// How it compares with the first card, as the server last said; nil: it did not.
  public let comparison: CardEndComparison?
}

/// How an end of a second card compares with the first card.
public enum CardEndComparison: Sendable, Hashable {
  /// The first card does not have all arrows of the end.
  case waiting
  /// Both cards have the same arrows.
  case agreed
  /// The cards differ; a judge decides.
  case disputed
  /// A judge has ruled, or the rule set after both confirmations.
  case ruled

  init?(_ state: CardEndState) {
    switch state {
    case .waiting: self = .waiting
    case .agreed: self = .agreed
    case .disputed: self = .disputed
    case .ruled: self = .ruled
    default: return nil
    }
  }
}

/// A target that this device has joined.
public struct JoinedTarget: Sendable, Equatable {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The id of the session; 0: a target of matches.
  public let session: Int64
  /// The number of the target.
  public let number: Int
  /// When the lease ends, unless it is renewed.
  public let expiresAt: Date

  init(_ lease: TargetLease) {
    event = lease.tournamentID
    session = lease.sessionID
    number = Int(lease.target)
    expiresAt = WallClock.date(lease.expiresAtMilliseconds)
  }
}
