import QuiverAPI
public import QuiverRules

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One round of an archer's card.
///
/// A card has the rounds of all days, one after another; its sums are those of all of them.
public struct CardRound: Sendable, Equatable, Identifiable {
  /// The number of the round, from 1.
  public let id: Int
  /// The index of its first end on the card, from 0.
  public let firstEnd: Int
  /// The number of its ends.
  public let endCount: Int
  /// The highest score that it allows.
  public let maximumScore: Int
  /// Where and when it is shot; nil: that is not known.
  public let place: EventPlace?
  /// The sums of its arrows, including changes that wait.
  public let tally: ScoreTally
  /// The number of its arrows that the server does not have yet, or that need attention.
  public let waitingCount: Int
  /// Whether it has the first slot of the card that is open: it is shot now, or next.
  public let isOpen: Bool

  /// Whether every slot of the round is filled.
  public var isComplete: Bool { tally.endsCompleted == endCount }
}

/// The session and the place in which an archer shoots a round.
public struct EventPlace: Sendable, Equatable {
  /// The number of the round, from 1.
  public let round: Int
  /// The id of the session.
  public let session: Int64
  /// The name of the session; empty: not known.
  public let sessionName: String
  /// When the session starts; nil: not known.
  public let startsAt: Date?
  /// The number of the target; nil: not drawn yet.
  public let target: Int?
  /// A to D; empty: not drawn yet.
  public let letter: String

  init(_ place: EventRoundPlace, _ session: EventSession?) {
    round = Int(max(1, place.round))
    self.session = place.sessionID
    sessionName = session?.name ?? ""
    startsAt = session.flatMap { session in
      session.startsAtMilliseconds == 0 ? nil : WallClock.date(session.startsAtMilliseconds)
    }
    target = place.target == 0 ? nil : Int(place.target)
    letter = place.target == 0 ? "" : place.letter
  }
}

extension ScoringModel {
  /// The rounds of a participant that this user scores, in their order, with their sums; empty for
  /// others.
  public func rounds(of participant: LocalID) -> [CardRound] {
    view?.rounds(of: participant.rawValue) ?? []
  }

  /// The round that a participant shoots now, or next; nil if all arrows have been shot, and for
  /// participants whom this user does not score.
  public func openRound(of participant: LocalID) -> CardRound? {
    rounds(of: participant).first(where: \.isOpen)
  }
}

extension ScoringView {
  fileprivate func rounds(of key: Int64) -> [CardRound] {
    guard let participant = participants.first(where: { $0.key == key }), let card = cards[key]
    else { return [] }
    let open = card.firstOpen?.endIndex
    return rounds.rounds(of: participant.message.id).map { round in
      let ends = Int(round.firstEnd)..<Int(round.firstEnd) + Int(round.endCount)
      let place = rounds.place(of: participant.message.id, inRound: round.number).map { place in
        EventPlace(place, rounds.session(place.sessionID))
      }
      return CardRound(
        id: Int(round.number), firstEnd: ends.lowerBound, endCount: ends.count,
        maximumScore: Int(round.maximumScore), place: place, tally: card.tally(ofEnds: ends),
        waitingCount: card.arrows.values.count { arrow in
          ends.contains(arrow.slot.endIndex) && arrow.mark != .synced
        },
        isOpen: open.map(ends.contains) ?? false)
    }
  }
}

extension ScoreCard {
  /// The sums of some ends.
  fileprivate func tally(ofEnds ends: Range<Int>) -> ScoreTally {
    var tally = ScoreTally()
    for index in ends {
      guard let end = format.end(index) else { continue }
      let scores = (0..<end.arrowCount).compactMap {
        arrows[ArrowSlot(endIndex: index, arrowIndex: $0)]?.score
      }
      for score in scores { tally.add(score, on: end.pass.face) }
      if scores.count == end.arrowCount { tally.endsCompleted += 1 }
    }
    return tally
  }
}
