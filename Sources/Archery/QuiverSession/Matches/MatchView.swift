import QuiverAPI
import QuiverRules

/// A match with the changes of this device applied, and its score.
///
/// Changes that the server refused, or that conflict, are not applied: the card shows what the
/// server has.
struct MatchView: Sendable {
  let message: EliminationMatch
  /// The rules of the match; nil if this version does not know them.
  let rules: MatchRules?
  private(set) var cards = [MatchCard(), MatchCard()]
  /// The client_ids of the operations whose entries are on the cards.
  private(set) var heads: [Place: [UInt8]] = [:]
  /// The places whose entries the server does not have yet.
  private(set) var waiting: Set<Place> = []
  /// Confirmations that were not sent, or whose reply is missing.
  let waitingConfirmations: [LocalMatch.Confirmation]

  /// An entry of a card.
  struct Place: Sendable, Hashable {
    let side: MatchSide
    let isShootOff: Bool
    let index: Int
  }

  init(_ match: LocalMatch) {
    message = match.message
    rules = MatchRules(match.message.stage)
    waitingConfirmations = match.confirmations.filter { !$0.row.needsAttention }
    for (side, card) in zip(MatchSide.allCases, message.sides) {
      for entry in card.entries { set(entry, of: side, by: entry.operationClientID) }
    }
    for row in match.rows where !row.row.needsAttention {
      guard let entry = row.operation.entry, let side = MatchSide(number: row.operation.side),
        message.hasArcher(of: row.operation)
      else { continue }
      set(entry, of: side, by: row.operation.clientID)
      waiting.insert(Place(entry, of: side))
    }
  }

  /// Whether the card of a side is confirmed, at the server or on this device. An end that waits
  /// takes the confirmations back that the server has.
  func isConfirmed(_ side: MatchSide) -> Bool {
    if isConfirmationWaiting(side) { return true }
    return waiting.isEmpty && message.sides.indices.contains(side.rawValue)
      && message.sides[side.rawValue].confirmed
  }

  /// Whether the server does not have the confirmation of a side yet.
  func isConfirmationWaiting(_ side: MatchSide) -> Bool {
    waitingConfirmations.contains { $0.side == side.number }
  }

  /// What both cards have, and whose they are: what a confirmation confirms.
  var cardContent: EliminationMatch {
    var content = EliminationMatch()
    content.sides = MatchSide.allCases.map { side in
      var card = MatchSideCard()
      if message.sides.indices.contains(side.rawValue) {
        card.seed = message.sides[side.rawValue].seed
        card.participantID = message.sides[side.rawValue].participantID
      }
      card.entries = places(of: side).map { MatchCardEntry(entry(at: $0), at: $0) }
      return card
    }
    return content
  }

  /// The score; nil without the rules.
  var score: MatchScore? {
    rules.map { rules in
      let forfeits = MatchSide.allCases.filter { side in
        message.sides.indices.contains(side.rawValue) && message.sides[side.rawValue].forfeited
      }
      return MatchScore(rules, cards, forfeits: Set(forfeits))
    }
  }

  /// What a card has at a place; nil if that is empty.
  func entry(at place: Place) -> MatchEntry? {
    let card = cards[place.side.rawValue]
    return place.isShootOff
      ? card.shootOffs[place.index].map { .shootOff(place.index, $0) }
      : card.ends[place.index].map { .end(place.index, $0) }
  }

  /// The places of a side that have an entry: ends, then shoot-offs.
  func places(of side: MatchSide) -> [Place] {
    let card = cards[side.rawValue]
    return card.ends.keys.sorted().map { Place(side: side, isShootOff: false, index: $0) }
      + card.shootOffs.keys.sorted().map { Place(side: side, isShootOff: true, index: $0) }
  }

  private mutating func set(_ entry: MatchCardEntry, of side: MatchSide, by operation: [UInt8]) {
    let place = Place(entry, of: side)
    let arrows = entry.arrows.map { ArrowScore(value: Int($0.value), isX: $0.isX) }
    if place.isShootOff {
      let shot = ShootOffShot(
        arrows, distances: entry.distances.map { Int($0) }, isMarkedCloser: entry.isCloser)
      cards[side.rawValue].set(arrows.isEmpty ? nil : shot, shootOff: place.index)
    } else {
      cards[side.rawValue].set(arrows.isEmpty ? nil : arrows, end: place.index)
    }
    heads[place] = arrows.isEmpty ? nil : operation
  }
}

extension EliminationMatch {
  /// Whether the archer whose arrows an operation has is on the side that it names. Operations of
  /// teams name no archer.
  func hasArcher(of operation: MatchOperation) -> Bool {
    guard let side = MatchSide(number: operation.side), sides.indices.contains(side.rawValue)
    else { return false }
    return operation.participantID == 0
      || operation.participantID == sides[side.rawValue].participantID
  }
}

extension MatchView.Place {
  init(_ entry: MatchCardEntry, of side: MatchSide) {
    self.init(side: side, isShootOff: entry.shootOff, index: Int(entry.index))
  }
}

extension MatchSide {
  /// 1 or 2; nil for another number.
  init?(number: UInt32) {
    switch number {
    case 1: self = .first
    case 2: self = .second
    default: return nil
    }
  }

  /// 1 or 2.
  var number: UInt32 { UInt32(rawValue + 1) }
}

extension MatchRules {
  /// The rules that a stage names; nil if this version does not know its system or its face.
  fileprivate init?(_ stage: EliminationStage?) {
    guard let stage, let system = QuiverRules.MatchSystem(rawValue: stage.system.rawValue),
      let face = TargetFace(rawValue: stage.face.rawValue)
    else { return nil }
    self.init(
      form: MatchForm.of(system, onDay: stage.ruleDay), face: face,
      repeatedMaximum: stage.repeatedMaximum.map {
        ArrowScore(value: Int($0.value), isX: $0.isX)
      })
  }
}
