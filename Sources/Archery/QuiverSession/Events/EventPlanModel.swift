public import Observation
public import QuiverAPI
import QuiverWire

/// The structure of an event: its categories with their rounds, its sessions, and who shoots where.
///
/// Without a connection it shows what the server last sent. Organisers and judges change it over
/// the server: such a change has its effect once, also if its reply is lost and it is made again.
@MainActor
@Observable
public final class EventPlanModel: OrganisedModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The categories; empty before the first load, and after a failed load.
  public private(set) var categories: [EventCategory] = []
  /// The sessions in the order of their rounds and starts.
  public private(set) var sessions: [EventSession] = []
  /// The entries by the id of their participant.
  public private(set) var entries: [EventEntry] = []
  /// The load state of the structure.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last change was not made; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    startShowing(changesOf: .eventPlan(event))
  }

  /// Sends the pending changes, then loads the structure from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Where and when a participant shoots, a place for each round that has a session, in their
  /// order.
  public func places(of participant: Int64) -> [EventPlace] {
    guard let entry = entries.first(where: { $0.participantID == participant }) else { return [] }
    return entry.places.map { place in
      EventPlace(place, sessions.first { $0.id == place.sessionID })
    }
  }

  /// Who shoots in a session, by target and letter; those without a place are last.
  public func entries(inSession id: Int64) -> [PlacedEntry] {
    let session = sessions.first { $0.id == id }
    let placed = entries.compactMap { entry in
      entry.places.first { $0.sessionID == id }.map { place in
        PlacedEntry(entry: entry, place: EventPlace(place, session))
      }
    }
    return placed.sorted { left, right in
      (left.place.target ?? .max, left.place.letter, left.id)
        < (right.place.target ?? .max, right.place.letter, right.id)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "the structure of an event"
  var hasContent: Bool { !categories.isEmpty }

  var fetch: Fetch {
    let (session, event) = (session, event)
    return { (store) throws(SessionError) in try await session.fetchEventPlan(event, store) }
  }

  func read() async throws(SessionError) -> (content: LocalEventPlan, fetchedAt: Int64?) {
    let event = event
    let found = try await session.store().read { (transaction) throws(SessionError) in
      try transaction.eventPlan(event)
    }
    return (found?.0 ?? LocalEventPlan(), found?.fetchedAt)
  }

  func show(_ content: LocalEventPlan?) {
    categories = content?.categories ?? []
    sessions = content?.sessions ?? []
    entries = content?.entries ?? []
  }
}

/// An entry with its place in one session.
public struct PlacedEntry: Sendable, Equatable, Identifiable {
  /// The id that the server assigned to the participant.
  public var id: Int64 { entry.participantID }
  /// The entry.
  public let entry: EventEntry
  /// Its place.
  public let place: EventPlace
}

extension EventEntry {
  /// The places in all rounds that have a session, in their order.
  var places: [EventRoundPlace] {
    var first = EventRoundPlace()
    (first.round, first.sessionID, first.target, first.letter) = (1, sessionID, target, letter)
    return (sessionID == 0 ? [] : [first]) + laterPlaces.sorted { $0.round < $1.round }
  }
}
