public import QuiverAPI

/// Names a part of a session's state that changed.
///
/// A model reads the parts that the keys name again, and nothing else.
public struct ChangeKey: Sendable, Hashable {
  private let value: Value

  private enum Value: Hashable {
    case connection
    case outbox
    case orphanedChanges
    case equipmentCounts
    case equipment(EquipmentType)
    case bowSetups
    case weightEntries
    case weightPlan
    case comparison
    case strength
    case strengthSets
    case sightMarks
    case profile
    case trainingLog
    case records
    case event(LocalID)
    case position(LocalID)
    case participant(LocalID, event: LocalID)
    case match(Int64)
    case secondCard(Int64)
    case target(String)
    case eventPlan(Int64)
    case eventAnswer(String)
  }

  private init(_ value: Value) { self.value = value }

  /// ``OfflineSession/connection``, ``OfflineSession/identity`` or ``OfflineSession/shownName``.
  public static let connection = Self(.connection)
  /// The changes that are pending or need attention.
  public static let outbox = Self(.outbox)
  /// Changes for a database that the server no longer has.
  public static let orphanedChanges = Self(.orphanedChanges)
  /// The server's numbers of items by type.
  public static let equipmentCounts = Self(.equipmentCounts)
  /// The list of bow setups, or one of them.
  public static let bowSetups = Self(.bowSetups)
  /// The list of weight entries, or one of them.
  public static let weightEntries = Self(.weightEntries)
  /// The weight plan.
  public static let weightPlan = Self(.weightPlan)
  /// The setups, the range or the result of the comparison.
  public static let comparison = Self(.comparison)
  /// The exercises and their daily maxima.
  public static let strength = Self(.strength)
  /// The strength sets on this device.
  public static let strengthSets = Self(.strengthSets)
  /// The sight marks on this device.
  public static let sightMarks = Self(.sightMarks)
  /// The profile.
  public static let profile = Self(.profile)
  /// The days of the training log.
  public static let trainingLog = Self(.trainingLog)
  /// The personal bests or the running handicaps.
  public static let records = Self(.records)

  /// The list of items of one type, or one of them.
  public static func equipment(_ type: EquipmentType) -> Self { Self(.equipment(type)) }

  /// An event or the list of its participants.
  public static func event(_ event: LocalID) -> Self { Self(.event(event)) }

  /// The scorer's position in an event.
  public static func position(in event: LocalID) -> Self { Self(.position(event)) }

  /// The arrows, the score or the status of one participant.
  public static func participant(_ participant: LocalID, in event: LocalID) -> Self {
    Self(.participant(participant, event: event))
  }

  /// A match, by the id that the server assigned to it, or one of its changes.
  public static func match(_ id: Int64) -> Self { Self(.match(id)) }

  /// A second card, by the id that the server assigned to its participant, or one of its changes.
  public static func secondCard(_ participant: Int64) -> Self { Self(.secondCard(participant)) }

  /// The lease on a target, and who shoots there, by the code of the target.
  public static func target(_ code: String) -> Self { Self(.target(code)) }

  /// The categories, sessions and entries of a tournament, by the id that the server assigned to
  /// it.
  public static func eventPlan(_ tournament: Int64) -> Self { Self(.eventPlan(tournament)) }

  /// Standings, a bracket or a list of disputes that the server sent, by the name under which they
  /// are stored.
  static func eventAnswer(_ name: String) -> Self { Self(.eventAnswer(name)) }

  /// Whether the key names a second card.
  var isSecondCard: Bool {
    if case .secondCard = value { true } else { false }
  }

  /// The participant of `event` that the key names; nil for other keys.
  func participant(in event: LocalID) -> LocalID? {
    guard case .participant(let participant, event) = value else { return nil }
    return participant
  }

  /// Whether the key names the list of items of a type.
  var isEquipment: Bool {
    if case .equipment = value { true } else { false }
  }
}

extension CachedKind {
  /// The key of the list of this kind.
  var changeKey: ChangeKey {
    switch number {
    case Self.setupNumber: .bowSetups
    case Self.weightEntryNumber: .weightEntries
    case Self.liftSetNumber: .strengthSets
    case Self.sightMarkNumber: .sightMarks
    case Self.weightPlanNumber: .weightPlan
    case Self.profileNumber: .profile
    default: .equipment(EquipmentType(rawValue: Int32(clamping: number)))
    }
  }
}
