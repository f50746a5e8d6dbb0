import QuiverAPI
import QuiverRules

/// Which round each participant of an event shoots in which ends, in which session and where.
///
/// Participants are named by the ids that the server assigned; those without one have 0.
struct EventRounds: Sendable {
  /// The round of the event, which participants without a category of their own have.
  let format: QuiverRules.RoundFormat
  private var categories: [Int64: Category] = [:]
  private var firstCategory: Int64 = 0
  private var entries: [Int64: EventEntry] = [:]
  private var sessions: [Int64: EventSession] = [:]
  /// The sessions in the order in which a scorer goes through them; 0: those without one.
  private(set) var sessionOrder: [Int64] = [0]

  private struct Category: Sendable {
    /// Nil if this version does not know a face or a unit of it.
    let format: QuiverRules.RoundFormat?
    let rounds: [QualificationRound]
  }

  /// Where an end is shot.
  struct Turn: Sendable, Hashable {
    /// 0: none.
    let session: Int64
    /// By target, then by letter.
    let order: Int64
  }

  /// Without a plan all participants have the round of the event.
  init(_ format: QuiverRules.RoundFormat, _ plan: LocalEventPlan? = nil) {
    self.format = format
    guard let plan else { return }
    for category in plan.categories {
      categories[category.id] = Category(
        format: category.ownFormat
          ? category.format.flatMap { QuiverRules.RoundFormat($0) } : format,
        rounds: category.rounds)
      if category.isFirst { firstCategory = category.id }
    }
    for entry in plan.entries { entries[entry.participantID] = entry }
    for session in plan.sessions { sessions[session.id] = session }
    sessionOrder = plan.sessions.map(\.id) + [0]
  }

  /// The round of a participant; nil if this version does not know it.
  func format(of participant: Int64) -> QuiverRules.RoundFormat? {
    guard let category = category(of: participant) else { return format }
    return category.format
  }

  /// The rounds of a participant, at least one.
  func rounds(of participant: Int64) -> [QualificationRound] {
    let known = category(of: participant)?.rounds ?? []
    guard known.isEmpty, let format = format(of: participant) else { return known }
    var whole = QualificationRound()
    whole.number = 1
    whole.endCount = UInt32(clamping: format.endCount)
    whole.arrowCount = UInt32(clamping: format.arrowCount)
    whole.maximumScore = UInt32(clamping: format.maximumScore)
    return [whole]
  }

  /// Where a participant shoots a round; nil if that is not known.
  func place(of participant: Int64, inRound round: UInt32) -> EventRoundPlace? {
    guard let entry = entries[participant] else { return nil }
    guard round == 1 else { return entry.laterPlaces.first { $0.round == round } }
    guard entry.sessionID != 0 else { return nil }
    var place = EventRoundPlace()
    (place.round, place.sessionID) = (1, entry.sessionID)
    (place.target, place.letter) = (entry.target, entry.letter)
    return place
  }

  /// A session of the event; nil if it is not known.
  func session(_ id: Int64) -> EventSession? { sessions[id] }

  /// The entry of a participant; nil if it is not known.
  func entry(of participant: Int64) -> EventEntry? { entries[participant] }

  /// Where a participant shoots an end.
  func turn(of participant: Int64, end: Int) -> Turn {
    let round = rounds(of: participant).last { Int($0.firstEnd) <= end }?.number ?? 1
    guard let place = place(of: participant, inRound: round) else {
      return Turn(session: 0, order: 0)
    }
    return Turn(session: place.sessionID, order: place.order)
  }

  private func category(of participant: Int64) -> Category? {
    let id = entries[participant]?.categoryID ?? firstCategory
    return categories[id] ?? categories[firstCategory]
  }
}

extension EventRounds {
  func format(of participant: LocalParticipant) -> QuiverRules.RoundFormat? {
    format(of: participant.message.id)
  }

  func turn(of participant: LocalParticipant, end: Int) -> Turn {
    turn(of: participant.message.id, end: end)
  }
}

extension EventRoundPlace {
  /// By target, then by letter; 0: no place.
  fileprivate var order: Int64 {
    guard target > 0, let letter = letter.utf8.first else { return 0 }
    return Int64(target) * 4 + Int64(letter) - Int64(UInt8(ascii: "A"))
  }
}

extension LocalTransaction {
  /// The rounds of an event's participants; nil if this version does not know the event's.
  func rounds(of event: LocalEvent) throws(SessionError) -> EventRounds? {
    guard let format = event.format else { return nil }
    guard event.isTournament, event.serverID != 0 else { return EventRounds(format) }
    return EventRounds(format, try eventPlan(event.serverID)?.0)
  }
}
